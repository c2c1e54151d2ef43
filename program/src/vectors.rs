//! The shared vectors, for tests.

use serde_json::Value;

/// `vectors/program.json`.
pub fn load() -> Value {
    serde_json::from_str(include_str!("../../vectors/program.json")).unwrap()
}

/// The bytes of a member that holds hexadecimal digits.
pub fn bytes(value: &Value) -> Vec<u8> {
    let hex = value.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// The 32 bytes of a member with 64 hexadecimal digits.
pub fn bytes32(value: &Value) -> [u8; 32] {
    bytes(value).try_into().unwrap()
}

/// A member that holds an integer as decimal digits.
pub fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

/// The members of a list.
pub fn list(value: &Value) -> &[Value] {
    let list = value.as_array().unwrap();
    assert!(!list.is_empty());
    list
}
