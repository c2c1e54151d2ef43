use alloc::vec::Vec;

use sotto_field::Fr;

/// The order of the field's multiplicative group is 2^28 times an odd number.
const TWO_ADICITY: u32 = 28;
/// The smallest number that isn't a square. snarkjs computes its roots of unity from it.
const NON_RESIDUE: u32 = 5;

/// The 2^k-th roots of unity, and transforms between a polynomial's values at the roots and its coefficients.
pub struct Domain {
    /// Powers of the root, for half the domain.
    roots: Vec<Fr>,
    /// Powers of the root's inverse.
    inverse_roots: Vec<Fr>,
    /// The factors of the coefficients, in bit-reversed order, that shift the domain by half a
    /// step. Factor `i` is the `i`-th power of the 2^(k+1)-th root, divided by the domain's size.
    shifts: Vec<Fr>,
}

impl Domain {
    /// The domain of `2^log_size` roots.
    pub fn new(log_size: u32) -> Self {
        let size = 1usize << log_size;
        let mut half_step = small(NON_RESIDUE).power(&odd_part());
        for _ in log_size + 1..TWO_ADICITY {
            half_step = half_step.square();
        }
        let root = half_step.square();
        let mut shifts = powers(&half_step, size, small(size as u32).invert());
        for index in 0..size {
            let mirrored = index.reverse_bits() >> (usize::BITS - log_size);
            if mirrored > index {
                shifts.swap(index, mirrored);
            }
        }
        Self {
            roots: powers(&root, size / 2, Fr::ONE),
            inverse_roots: powers(&root.invert(), size / 2, Fr::ONE),
            shifts,
        }
    }

    pub fn size(&self) -> usize {
        self.shifts.len()
    }

    /// Converts a polynomial's values at the roots into its values at the points half a step after them.
    pub fn shift(&self, values: &mut [Fr]) {
        self.to_coefficients(values);
        for (value, factor) in values.iter_mut().zip(&self.shifts) {
            *value = value.mul(factor);
        }
        self.to_values(values);
    }

    /// Converts values in natural order into coefficients in bit-reversed order, multiplied by the domain's size.
    fn to_coefficients(&self, values: &mut [Fr]) {
        let mut length = values.len() / 2;
        while length > 0 {
            let stride = self.roots.len() / length;
            for block in values.chunks_exact_mut(2 * length) {
                let (low, high) = block.split_at_mut(length);
                let roots = self.inverse_roots.iter().step_by(stride);
                for ((a, b), root) in low.iter_mut().zip(high).zip(roots) {
                    let difference = a.difference(b);
                    *a = a.add(b);
                    *b = difference.mul(root);
                }
            }
            length /= 2;
        }
    }

    /// Converts coefficients in bit-reversed order into values in natural order.
    fn to_values(&self, values: &mut [Fr]) {
        let mut length = 1;
        while length < values.len() {
            let stride = self.roots.len() / length;
            for block in values.chunks_exact_mut(2 * length) {
                let (low, high) = block.split_at_mut(length);
                let roots = self.roots.iter().step_by(stride);
                for ((a, b), root) in low.iter_mut().zip(high).zip(roots) {
                    let turned = b.mul(root);
                    *b = a.sub(&turned);
                    *a = a.add(&turned);
                }
            }
            length *= 2;
        }
    }
}

fn small(value: u32) -> Fr {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&value.to_le_bytes());
    // This number is far below the prime.
    Fr::from_le(&bytes).unwrap()
}

/// `first`, `first * base`, `first * base^2`, ...
fn powers(base: &Fr, count: usize, first: Fr) -> Vec<Fr> {
    let mut powers = Vec::with_capacity(count);
    let mut power = first;
    for _ in 0..count {
        powers.push(power);
        power = power.mul(base);
    }
    powers
}

/// `(p - 1) / 2^28`.
fn odd_part() -> [u8; 32] {
    let minus_one = Fr::ONE.neg().to_le();
    let byte = |index: usize| minus_one.get(index).copied().unwrap_or(0);
    let (bytes, bits) = (TWO_ADICITY as usize / 8, TWO_ADICITY % 8);
    core::array::from_fn(|at| byte(at + bytes) >> bits | byte(at + bytes + 1) << (8 - bits))
}
