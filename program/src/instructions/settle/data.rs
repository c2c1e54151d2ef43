use crate::{
    bytes::{array_at, i64_at, u16_at, u64_at},
    error::Error,
    field::is_element,
    proof::PROOF_SIZE,
    state::tree::RootKind,
};

const SIZE: usize = 380;
const REFUND: u8 = 1;

/// A settlement's data. Amounts are base units, `time` is in seconds.
pub struct SettleData {
    pub is_refund: bool,
    pub root_kind: RootKind,
    pub root_index: u16,
    pub nullifier: [u8; 32],
    pub payout: u64,
    pub fee: u64,
    pub payee: [u8; 32],
    /// The leaf of the change note. Every settlement names a change note, even if the note's value is zero.
    pub change_leaf: [u8; 32],
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
            payout: u64_at(data, 36),
            fee: u64_at(data, 44),
            payee: array_at(data, 52),
            change_leaf: array_at(data, 84),
            time: u64::try_from(i64_at(data, 116)).map_err(|_| Error::InvalidInstructionData)?,
            proof: array_at(data, 124),
        };
        parsed.check()?;
        Ok(parsed)
    }

    fn check(&self) -> Result<(), Error> {
        // `nullifier + modulus` would give the same note a second Nullifier. I2
        if !is_element(&self.nullifier) || !is_element(&self.change_leaf) {
            return Err(Error::NotAFieldElement);
        }
        // A settlement must pay something. So a transfer whose fee takes its whole value can only be refunded.
        if self.payout == 0 {
            return Err(Error::ZeroAmount);
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
        data[36] = 1;
        change(&mut data);
        SettleData::parse(&data).err()
    }

    #[test]
    fn only_defined_data_is_accepted() {
        assert_eq!(refusal(|_| ()), None);
        assert_eq!(refusal(|data| data[0] = 1), None);
        assert_eq!(refusal(|data| data[0] = 2), Some(Error::InvalidInstructionData));
        assert_eq!(refusal(|data| data[1] = 2), Some(Error::RootIndexOutOfRange));
        assert_eq!(refusal(|data| data[123] = 0x80), Some(Error::InvalidInstructionData));
        let long = SettleData::parse(&[0; SIZE + 1]).err();
        assert_eq!(long, Some(Error::InvalidInstructionData));
    }

    #[test]
    fn a_second_encoding_of_a_nullifier_or_change_leaf_is_refused() {
        for at in [4, 84] {
            let result = refusal(|data| data[at..at + 32].copy_from_slice(&MODULUS));
            assert_eq!(result, Some(Error::NotAFieldElement));
        }
    }

    #[test]
    fn a_settlement_that_pays_nothing_is_refused() {
        assert_eq!(refusal(|data| data[36] = 0), Some(Error::ZeroAmount));
        let fee_alone = |data: &mut [u8; SIZE]| (data[36], data[44]) = (0, 1);
        assert_eq!(refusal(fee_alone), Some(Error::ZeroAmount));
    }
}
