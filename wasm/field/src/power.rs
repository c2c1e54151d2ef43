use crate::{Element, Modulus};

impl<M: Modulus> Element<M> {
    /// The power with a plain exponent in 32 little-endian bytes.
    pub fn power(&self, exponent: &[u8; 32]) -> Self {
        let mut power = Self::ONE;
        for bit in (0..256).rev() {
            power = power.square();
            if exponent[bit / 8] >> (bit % 8) & 1 == 1 {
                power = power.mul(self);
            }
        }
        power
    }
}
