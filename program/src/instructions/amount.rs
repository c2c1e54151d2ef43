//! The data of the instructions that move a single amount.

use crate::{bytes::u64_at, error::Error};

/// The amount, in base units and above zero.
pub fn parse_amount(data: &[u8]) -> Result<u64, Error> {
    if data.len() != 8 {
        return Err(Error::InvalidInstructionData);
    }
    match u64_at(data, 0) {
        0 => Err(Error::ZeroAmount),
        amount => Ok(amount),
    }
}
