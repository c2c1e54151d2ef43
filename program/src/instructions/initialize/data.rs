use crate::{
    bytes::{array_at, u32_at},
    error::Error,
    field::is_element,
};

const SIZE: usize = 132;

/// The Pool's initial settings.
pub struct InitializeData {
    pub admin: [u8; 32],
    pub authorisers: [[u8; 32]; 2],
    /// An element of the field, because every asset's hash includes it.
    pub domain: [u8; 32],
    pub max_deposit_seconds: u32,
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
        let domain = array_at(data, 96);
        if !is_element(&domain) {
            return Err(Error::NotAFieldElement);
        }
        Ok(Self {
            admin,
            authorisers: [array_at(data, 32), array_at(data, 64)],
            domain,
            max_deposit_seconds: u32_at(data, 128),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::MODULUS;

    #[test]
    fn a_domain_that_is_not_a_field_element_is_refused() {
        let mut data = [1; SIZE];
        assert!(InitializeData::parse(&data).is_ok());
        data[96..128].copy_from_slice(&MODULUS);
        assert_eq!(InitializeData::parse(&data).err(), Some(Error::NotAFieldElement));
    }

    #[test]
    fn the_zero_address_cannot_be_the_admin() {
        let mut data = [1; SIZE];
        data[..32].fill(0);
        assert_eq!(InitializeData::parse(&data).err(), Some(Error::InvalidAdmin));
        assert_eq!(InitializeData::parse(&data[1..]).err(), Some(Error::InvalidInstructionData));
    }
}
