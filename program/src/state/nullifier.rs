//! A Nullifier: the proof that a note was settled. Its life outlasts every time at which its note could
//! be settled again. I2

use super::discriminator;
use crate::{
    bytes::{array_at, put, u64_at},
    constants::{
        CLOSE_DELAY_SECONDS, MAX_DELIVERY_SECONDS, MAX_DEPOSIT_SECONDS, REFUND_WINDOW_SECONDS,
        SKEW_SECONDS,
    },
    error::Error,
};

/// Bytes of a Nullifier.
pub const NULLIFIER_SIZE: usize = 48;

/// How long a Nullifier lives. `docs/protocol.md` shows why no shorter life would do.
pub const NULLIFIER_SECONDS: u32 = MAX_DEPOSIT_SECONDS
    + MAX_DELIVERY_SECONDS
    + REFUND_WINDOW_SECONDS
    + SKEW_SECONDS
    + CLOSE_DELAY_SECONDS;

/// A decoded Nullifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Nullifier {
    pub bump: u8,
    pub closable_at: u64,
    pub rent_payer: [u8; 32],
}

impl Nullifier {
    /// The Nullifier of a note settled at `clock` (seconds).
    pub fn made_at(clock: u64, bump: u8, rent_payer: [u8; 32]) -> Self {
        let closable_at = clock.saturating_add(NULLIFIER_SECONDS as u64);
        Self { bump, closable_at, rent_payer }
    }

    /// Reads a Nullifier's bytes.
    pub fn decode(data: &[u8]) -> Result<Self, Error> {
        if data.len() != NULLIFIER_SIZE || data[0] != discriminator::NULLIFIER {
            return Err(Error::WrongAccountData);
        }
        Ok(Self { bump: data[1], closable_at: u64_at(data, 8), rent_payer: array_at(data, 16) })
    }

    /// Writes the Nullifier over `data`, which is `NULLIFIER_SIZE` bytes long.
    pub fn encode(&self, data: &mut [u8]) {
        data[0] = discriminator::NULLIFIER;
        data[1] = self.bump;
        put(data, 8, &self.closable_at.to_le_bytes());
        put(data, 16, &self.rent_payer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nullifier_reads_back_as_it_was_written() {
        let nullifier = Nullifier::made_at(1_000, 251, [9; 32]);
        let mut data = [0; NULLIFIER_SIZE];
        nullifier.encode(&mut data);
        assert_eq!(Nullifier::decode(&data), Ok(nullifier));
        assert_eq!(Nullifier::decode(&data[..47]), Err(Error::WrongAccountData));
    }

    #[test]
    fn a_nullifier_outlives_the_last_refund_of_a_note_deposited_just_before() {
        let clock = 1_000;
        let expiry = clock + (MAX_DEPOSIT_SECONDS + MAX_DELIVERY_SECONDS) as u64;
        let last_refund = expiry + (REFUND_WINDOW_SECONDS + SKEW_SECONDS) as u64;
        assert!(Nullifier::made_at(clock, 0, [0; 32]).closable_at > last_refund);
    }
}
