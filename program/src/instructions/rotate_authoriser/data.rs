use crate::{bytes::array_at, error::Error};

const SIZE: usize = 33;

/// Which slot gets which key; the zero key unsets the slot.
pub struct RotateAuthoriserData {
    pub slot: usize,
    pub key: [u8; 32],
}

impl RotateAuthoriserData {
    pub fn parse(data: &[u8]) -> Result<Self, Error> {
        if data.len() != SIZE {
            return Err(Error::InvalidInstructionData);
        }
        if data[0] > 1 {
            return Err(Error::InvalidAuthoriserSlot);
        }
        Ok(Self { slot: data[0] as usize, key: array_at(data, 1) })
    }
}
