use crate::{bytes::u32_at, error::Error};

const SIZE: usize = 5;

/// The configuration to set.
pub struct SetConfigData {
    pub deposits_paused: bool,
    pub max_deposit_seconds: u32,
}

impl SetConfigData {
    pub fn parse(data: &[u8]) -> Result<Self, Error> {
        if data.len() != SIZE || data[0] > 1 {
            return Err(Error::InvalidInstructionData);
        }
        Ok(Self { deposits_paused: data[0] == 1, max_deposit_seconds: u32_at(data, 1) })
    }
}
