use crate::{
    bytes::{array_at, u32_at},
    error::Error,
};

const SIZE: usize = 136;

/// What the Pool begins with.
pub struct InitializeData {
    pub admin: [u8; 32],
    pub authorisers: [[u8; 32]; 2],
    pub domain: [u8; 32],
    pub max_deposit_seconds: u32,
    pub max_delivery_seconds: u32,
}

impl InitializeData {
    pub fn parse(data: &[u8]) -> Result<Self, Error> {
        if data.len() != SIZE {
            return Err(Error::InvalidInstructionData);
        }
        let admin = array_at(data, 0);
        if admin == [0; 32] {
            return Err(Error::InvalidAdmin);
        }
        Ok(Self {
            admin,
            authorisers: [array_at(data, 32), array_at(data, 64)],
            domain: array_at(data, 96),
            max_deposit_seconds: u32_at(data, 128),
            max_delivery_seconds: u32_at(data, 132),
        })
    }
}
