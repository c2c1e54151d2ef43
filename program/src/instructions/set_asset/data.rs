use crate::{
    bytes::{u32_at, u64_at},
    error::Error,
};

const SIZE: usize = 21;

/// The limits to set, in base units and seconds.
pub struct SetAssetData {
    pub deposits_paused: bool,
    pub deposit_max: u64,
    pub swap_cap: u64,
    pub swap_period_seconds: u32,
}

impl SetAssetData {
    pub fn parse(data: &[u8]) -> Result<Self, Error> {
        if data.len() != SIZE || data[0] > 1 {
            return Err(Error::InvalidInstructionData);
        }
        Ok(Self {
            deposits_paused: data[0] == 1,
            deposit_max: u64_at(data, 1),
            swap_cap: u64_at(data, 9),
            swap_period_seconds: u32_at(data, 17),
        })
    }
}
