use crate::{
    bytes::{array_at, i64_at, u16_at, u64_at},
    error::Error,
    field::is_element,
    proof::PROOF_SIZE,
    state::tree::RootKind,
};

const SIZE: usize = 348;
const REFUND: u8 = 1;

/// A settlement's data. Amounts are base units, `time` is in seconds.
pub struct SettleData {
    pub is_refund: bool,
    pub root_kind: RootKind,
    pub root_index: u16,
    pub nullifier: [u8; 32],
    pub amount: u64,
    pub fee_back: u64,
    pub payee: [u8; 32],
    pub time: u64,
    pub proof: [u8; PROOF_SIZE],
}

impl SettleData {
    pub fn parse(data: &[u8]) -> Result<Self, Error> {
        if data.len() != SIZE || data[0] & !REFUND != 0 {
            return Err(Error::InvalidInstructionData);
        }
        let root_kind = match data[1] {
            0 => RootKind::Recent,
            1 => RootKind::Checkpoint,
            _ => return Err(Error::RootIndexOutOfRange),
        };
        let parsed = Self {
            is_refund: data[0] & REFUND != 0,
            root_kind,
            root_index: u16_at(data, 2),
            nullifier: array_at(data, 4),
            amount: u64_at(data, 36),
            fee_back: u64_at(data, 44),
            payee: array_at(data, 52),
            time: u64::try_from(i64_at(data, 84)).map_err(|_| Error::InvalidInstructionData)?,
            proof: array_at(data, 92),
        };
        parsed.check()?;
        Ok(parsed)
    }

    fn check(&self) -> Result<(), Error> {
        // nullifier + modulus would stand for the same note at another address. I2
        if !is_element(&self.nullifier) {
            return Err(Error::NotAFieldElement);
        }
        // The circuit's public feeBack of a delivery is 0, so that it shows nothing of the fee.
        if !self.is_refund && self.fee_back != 0 {
            return Err(Error::FeeBackOnDelivery);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::MODULUS;

    fn refusal(change: impl Fn(&mut [u8; SIZE])) -> Option<Error> {
        let mut data = [0; SIZE];
        change(&mut data);
        SettleData::parse(&data).err()
    }

    #[test]
    fn only_defined_data_is_accepted() {
        assert_eq!(refusal(|_| ()), None);
        assert_eq!(refusal(|data| data[0] = 2), Some(Error::InvalidInstructionData));
        assert_eq!(refusal(|data| data[1] = 2), Some(Error::RootIndexOutOfRange));
        assert_eq!(refusal(|data| data[91] = 0x80), Some(Error::InvalidInstructionData));
        let long = SettleData::parse(&[0; SIZE + 1]).err();
        assert_eq!(long, Some(Error::InvalidInstructionData));
    }

    #[test]
    fn a_second_encoding_of_a_nullifier_is_refused() {
        let result = refusal(|data| data[4..36].copy_from_slice(&MODULUS));
        assert_eq!(result, Some(Error::NotAFieldElement));
    }

    #[test]
    fn a_delivery_shows_no_fee() {
        assert_eq!(refusal(|data| data[44] = 1), Some(Error::FeeBackOnDelivery));
        let refund = |data: &mut [u8; SIZE]| (data[0], data[44]) = (1, 1);
        assert_eq!(refusal(refund), None);
    }
}
