use crate::{
    bytes::{u32_at, u64_at},
    error::Error,
};

const SIZE: usize = 20;

/// The limits that an asset begins with, in base units and seconds.
pub struct AddAssetData {
    pub deposit_max: u64,
    pub swap_cap: u64,
    pub swap_period_seconds: u32,
}

impl AddAssetData {
    pub fn parse(data: &[u8]) -> Result<Self, Error> {
        if data.len() != SIZE {
            return Err(Error::InvalidInstructionData);
        }
        Ok(Self {
            deposit_max: u64_at(data, 0),
            swap_cap: u64_at(data, 8),
            swap_period_seconds: u32_at(data, 16),
        })
    }
}
