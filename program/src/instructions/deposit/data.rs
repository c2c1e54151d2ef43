use crate::{
    bytes::{array_at, i64_at, u64_at},
    error::Error,
    field::is_element,
    guards::time::DepositTimes,
};

/// Bytes of a deposit's data after the tag.
pub const DEPOSIT_DATA_SIZE: usize = 154;

const SWAP: u8 = 1;

/// The terms of a deposit that are in its data. Amounts are base units, times seconds.
pub struct DepositData<'a> {
    /// The raw bytes of all these terms; the authoriser signed some of them unchanged.
    pub bytes: &'a [u8; DEPOSIT_DATA_SIZE],
    pub is_swap: bool,
    pub order_id: [u8; 16],
    pub amount_in: u64,
    /// The note's value, in base units of the destination.
    pub value: u64,
    pub partner_fee: u64,
    pub times: DepositTimes,
    pub inner: [u8; 32],
}

impl<'a> DepositData<'a> {
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let bytes: &[u8; DEPOSIT_DATA_SIZE] =
            data.try_into().map_err(|_| Error::InvalidInstructionData)?;
        if bytes[0] & !SWAP != 0 {
            return Err(Error::InvalidInstructionData);
        }
        let inner = array_at(bytes, 57);
        if !is_element(&inner) {
            return Err(Error::NotAFieldElement);
        }
        Ok(Self {
            bytes,
            is_swap: bytes[0] & SWAP != 0,
            order_id: array_at(bytes, 1),
            amount_in: u64_at(bytes, 17),
            value: u64_at(bytes, 25),
            partner_fee: u64_at(bytes, 33),
            times: DepositTimes { deadline: time_at(bytes, 41)?, valid_until: time_at(bytes, 49)? },
            inner,
        })
    }

    /// The part of amountIn that goes to the vault.
    pub fn vault_amount(&self) -> Result<u64, Error> {
        self.amount_in.checked_sub(self.partner_fee).ok_or(Error::AmountMismatch)
    }

    /// The order's id, as the authoriser signed it.
    pub fn order_id_bytes(&self) -> &[u8] {
        &self.bytes[1..17]
    }

    /// amountIn, value and partnerFee, as the authoriser signed them.
    pub fn amounts_bytes(&self) -> &[u8] {
        &self.bytes[17..41]
    }

    /// Deadline, validUntil and inner, as the authoriser signed them.
    pub fn times_and_inner_bytes(&self) -> &[u8] {
        &self.bytes[41..89]
    }

    /// Data for the operator, to rebuild a database from the chain. The program only hashes it.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[89..]
    }
}

/// Reads a time. Times are never negative.
fn time_at(data: &[u8], at: usize) -> Result<u64, Error> {
    u64::try_from(i64_at(data, at)).map_err(|_| Error::InvalidInstructionData)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::MODULUS;

    #[test]
    fn data_of_another_length_or_with_an_undefined_flag_is_refused() {
        let mut data = [0; DEPOSIT_DATA_SIZE];
        assert!(DepositData::parse(&data).is_ok());
        let short = DepositData::parse(&data[1..]).err();
        assert_eq!(short, Some(Error::InvalidInstructionData));
        data[0] = 2;
        assert_eq!(DepositData::parse(&data).err(), Some(Error::InvalidInstructionData));
    }

    #[test]
    fn an_inner_that_is_not_a_field_element_is_refused() {
        let mut data = [0; DEPOSIT_DATA_SIZE];
        data[57..89].copy_from_slice(&MODULUS);
        assert_eq!(DepositData::parse(&data).err(), Some(Error::NotAFieldElement));
    }

    #[test]
    fn a_negative_time_is_refused() {
        for at in [41, 49] {
            let mut data = [0; DEPOSIT_DATA_SIZE];
            data[at + 7] = 0x80;
            assert_eq!(DepositData::parse(&data).err(), Some(Error::InvalidInstructionData));
        }
    }
}
