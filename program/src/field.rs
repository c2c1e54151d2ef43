//! Elements of BN254's scalar field as 32 big-endian bytes.

/// The field's modulus.
pub const MODULUS: [u8; 32] =
    from_hex("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001");

/// True if `value` is below the modulus. `value + modulus` would hash and verify like `value`, so
/// without this check a caller would accept two encodings of one value.
pub fn is_element(value: &[u8; 32]) -> bool {
    value < &MODULUS
}

/// An unsigned integer as a field element.
pub fn from_u64(value: u64) -> [u8; 32] {
    let mut out = [0; 32];
    out[24..].copy_from_slice(&value.to_be_bytes());
    out
}

/// The halves of an address, `(hi, lo)`, of 128 bits each. Each half is below the modulus.
/// Different addresses have different halves.
pub fn halves(address: &[u8; 32]) -> ([u8; 32], [u8; 32]) {
    let (mut hi, mut lo) = ([0; 32], [0; 32]);
    hi[16..].copy_from_slice(&address[..16]);
    lo[16..].copy_from_slice(&address[16..]);
    (hi, lo)
}

/// Reads 64 hexadecimal digits while compiling.
pub const fn from_hex(hex: &str) -> [u8; 32] {
    let digits = hex.as_bytes();
    assert!(digits.len() == 64);
    let mut out = [0; 32];
    let mut i = 0;
    while i < 32 {
        out[i] = (digit(digits[2 * i]) << 4) | digit(digits[2 * i + 1]);
        i += 1;
    }
    out
}

const fn digit(character: u8) -> u8 {
    match character {
        b'0'..=b'9' => character - b'0',
        b'a'..=b'f' => character - b'a' + 10,
        _ => panic!("not a hexadecimal digit"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modulus_is_the_first_value_that_is_not_an_element() {
        let mut below = MODULUS;
        below[31] -= 1;
        assert!(is_element(&below));
        assert!(!is_element(&MODULUS));
        assert!(!is_element(&[0xff; 32]));
    }

    #[test]
    fn the_halves_of_an_address_keep_all_of_its_bytes() {
        let address: [u8; 32] = core::array::from_fn(|i| i as u8 + 1);
        let (hi, lo) = halves(&address);
        assert_eq!([&hi[16..], &lo[16..]].concat(), address);
        assert_eq!((&hi[..16], &lo[..16]), (&[0; 16][..], &[0; 16][..]));
    }
}
