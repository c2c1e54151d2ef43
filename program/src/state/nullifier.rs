//! A Nullifier: the proof that a note was settled. It exists until no proof for the note is valid
//! any more. I2

use super::discriminator;
use crate::{
    bytes::{array_at, put, u32_at},
    constants::{
        CLOSE_DELAY_SECONDS, MAX_DEPOSIT_SECONDS, MAX_LIFE_SECONDS, REFUND_WINDOW_SECONDS,
        SKEW_SECONDS,
    },
    error::Error,
};

/// Bytes of a Nullifier.
pub const NULLIFIER_SIZE: usize = 40;

/// The lifetime of a Nullifier. `docs/protocol.md` shows why a shorter life would be unsafe.
///
/// A payment's time may be `SKEW_SECONDS` after the clock, and its change's deadline
/// `MAX_DEPOSIT_SECONDS` after that. A refund's time may lag the clock by `SKEW_SECONDS` again.
pub const NULLIFIER_SECONDS: u32 = SKEW_SECONDS
    + MAX_DEPOSIT_SECONDS
    + MAX_LIFE_SECONDS
    + REFUND_WINDOW_SECONDS
    + SKEW_SECONDS
    + CLOSE_DELAY_SECONDS;

/// A decoded Nullifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Nullifier {
    pub bump: u8,
    /// Seconds since 1970. A u32 suffices until 2106.
    pub closable_at: u32,
    pub rent_payer: [u8; 32],
}

impl Nullifier {
    /// The Nullifier of a note settled at `clock` (seconds).
    pub fn made_at(clock: u64, bump: u8, rent_payer: [u8; 32]) -> Result<Self, Error> {
        let closable_at = clock.checked_add(NULLIFIER_SECONDS as u64).ok_or(Error::Overflow)?;
        // With a truncated time, the Nullifier could be closed too early.
        let closable_at = u32::try_from(closable_at).map_err(|_| Error::Overflow)?;
        Ok(Self { bump, closable_at, rent_payer })
    }

    /// Reads a Nullifier's bytes.
    pub fn decode(data: &[u8]) -> Result<Self, Error> {
        if data.len() != NULLIFIER_SIZE || data[0] != discriminator::NULLIFIER {
            return Err(Error::WrongAccountData);
        }
        Ok(Self { bump: data[1], closable_at: u32_at(data, 4), rent_payer: array_at(data, 8) })
    }

    /// Writes the Nullifier over `data`, which is `NULLIFIER_SIZE` bytes long.
    pub fn encode(&self, data: &mut [u8]) {
        data[0] = discriminator::NULLIFIER;
        data[1] = self.bump;
        put(data, 4, &self.closable_at.to_le_bytes());
        put(data, 8, &self.rent_payer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::{CHECKPOINTS, HOUR_SECONDS};

    #[test]
    fn a_nullifier_reads_back_as_it_was_written() {
        let nullifier = Nullifier::made_at(1_000, 251, [9; 32]).unwrap();
        let mut data = [0; NULLIFIER_SIZE];
        nullifier.encode(&mut data);
        assert_eq!(Nullifier::decode(&data), Ok(nullifier));
        assert_eq!(Nullifier::decode(&data[..39]), Err(Error::WrongAccountData));
    }

    #[test]
    fn a_nullifier_outlives_the_last_refund_of_any_change_made_at_the_same_time() {
        let clock = 1_000;
        // The change of a payment whose time is as far ahead of the clock as the program allows.
        let time = clock + SKEW_SECONDS;
        let expiry = time + (MAX_DEPOSIT_SECONDS + MAX_LIFE_SECONDS);
        let last_refund = expiry + (REFUND_WINDOW_SECONDS + SKEW_SECONDS);
        let nullifier = Nullifier::made_at(clock as u64, 0, [0; 32]).unwrap();
        assert_eq!(nullifier.closable_at, last_refund + CLOSE_DELAY_SECONDS);
    }

    #[test]
    fn a_time_that_exceeds_32_bits_is_refused() {
        let last = u32::MAX as u64 - NULLIFIER_SECONDS as u64;
        assert_eq!(Nullifier::made_at(last, 0, [0; 32]).unwrap().closable_at, u32::MAX);
        for clock in [last + 1, u64::MAX] {
            assert_eq!(Nullifier::made_at(clock, 0, [0; 32]), Err(Error::Overflow));
        }
    }

    #[test]
    fn the_checkpoints_outlast_the_last_refund() {
        assert!(CHECKPOINTS as u32 * HOUR_SECONDS > NULLIFIER_SECONDS);
    }
}
