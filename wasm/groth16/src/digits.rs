use alloc::vec::Vec;

/// A scalar as 32 little-endian bytes, below 2^254.
pub type Scalar = [u8; 32];

const SCALAR_BITS: usize = 254;

/// The number of signed digits of `bits` bits in a scalar. The last digit takes the final carry.
pub fn windows(bits: usize) -> usize {
    SCALAR_BITS / bits + 1
}

/// Writes each scalar with digits from `-2^(bits-1)` to `2^(bits-1)`, window by window. Digit `w` of scalar
/// `i` is at `w * scalars.len() + i`. Signs halve the number of buckets, because negating a point is almost
/// free.
pub fn signed_digits(scalars: &[Scalar], bits: usize) -> Vec<i16> {
    let count = scalars.len();
    let windows = windows(bits);
    let half = 1i32 << (bits - 1);
    let mut digits = alloc::vec![0i16; count * windows];
    for (index, scalar) in scalars.iter().enumerate() {
        let mut carry = 0;
        for window in 0..windows {
            let mut digit = read_bits(scalar, window * bits, bits) + carry;
            carry = 0;
            if digit > half {
                digit -= 2 * half;
                carry = 1;
            }
            digits[window * count + index] = digit as i16;
        }
    }
    digits
}

fn read_bits(scalar: &Scalar, from: usize, bits: usize) -> i32 {
    let mut value = 0u32;
    for (place, byte) in scalar.iter().skip(from / 8).take(4).enumerate() {
        value |= (*byte as u32) << (8 * place);
    }
    (value >> (from % 8) & ((1 << bits) - 1)) as i32
}
