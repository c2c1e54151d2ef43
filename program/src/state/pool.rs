//! The Pool: its admin, the keys that authorise deposits, and the longest time to a deadline.

use super::discriminator;
use crate::{
    bytes::{array_at, put, u32_at},
    constants::MAX_DEPOSIT_SECONDS,
    error::Error,
};

/// Bytes of a Pool.
pub const POOL_SIZE: usize = 176;

/// A decoded Pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    pub bump: u8,
    pub deposits_paused: bool,
    pub admin: [u8; 32],
    pub authorisers: [[u8; 32]; 2],
    pub domain: [u8; 32],
    pub tree: [u8; 32],
    pub max_deposit_seconds: u32,
}

impl Pool {
    /// Reads a Pool's bytes.
    pub fn decode(data: &[u8]) -> Result<Self, Error> {
        if data.len() != POOL_SIZE || data[0] != discriminator::POOL {
            return Err(Error::WrongAccountData);
        }
        Ok(Self {
            bump: data[1],
            deposits_paused: data[2] != 0,
            admin: array_at(data, 8),
            authorisers: [array_at(data, 40), array_at(data, 72)],
            domain: array_at(data, 104),
            tree: array_at(data, 136),
            max_deposit_seconds: u32_at(data, 168),
        })
    }

    /// Writes the Pool over `data`, which is `POOL_SIZE` bytes long.
    pub fn encode(&self, data: &mut [u8]) {
        data[0] = discriminator::POOL;
        data[1] = self.bump;
        data[2] = self.deposits_paused as u8;
        put(data, 8, &self.admin);
        put(data, 40, &self.authorisers[0]);
        put(data, 72, &self.authorisers[1]);
        put(data, 104, &self.domain);
        put(data, 136, &self.tree);
        put(data, 168, &self.max_deposit_seconds.to_le_bytes());
    }

    /// Sets the longest time between a deposit and its deadline. It can't exceed
    /// `MAX_DEPOSIT_SECONDS`, because a Nullifier's life is computed from that constant. I2
    pub fn set_max_deposit_seconds(&mut self, seconds: u32) -> Result<(), Error> {
        if !(1..=MAX_DEPOSIT_SECONDS).contains(&seconds) {
            return Err(Error::LimitOutOfRange);
        }
        self.max_deposit_seconds = seconds;
        Ok(())
    }

    /// True if `key` may authorise deposits. An unset slot never matches, because anyone can make
    /// a signature under the zero key.
    pub fn is_authoriser(&self, key: &[u8; 32]) -> bool {
        *key != [0; 32] && self.authorisers.contains(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool {
            bump: 254,
            deposits_paused: true,
            admin: [1; 32],
            authorisers: [[2; 32], [0; 32]],
            domain: [4; 32],
            tree: [5; 32],
            max_deposit_seconds: 3_600,
        }
    }

    #[test]
    fn a_pool_reads_back_as_it_was_written() {
        let mut data = [0; POOL_SIZE];
        pool().encode(&mut data);
        assert_eq!(Pool::decode(&data), Ok(pool()));
        data[0] = discriminator::ASSET;
        assert_eq!(Pool::decode(&data), Err(Error::WrongAccountData));
        assert_eq!(Pool::decode(&data[1..]), Err(Error::WrongAccountData));
    }

    #[test]
    fn an_unset_authoriser_slot_never_matches() {
        assert!(pool().is_authoriser(&[2; 32]));
        assert!(!pool().is_authoriser(&[0; 32]));
        assert!(!pool().is_authoriser(&[3; 32]));
    }

    #[test]
    fn the_limit_never_exceeds_the_constant_in_a_nullifiers_life() {
        assert_eq!(pool().set_max_deposit_seconds(1), Ok(()));
        assert_eq!(pool().set_max_deposit_seconds(3_600), Ok(()));
        for seconds in [0, 3_601, u32::MAX] {
            assert_eq!(pool().set_max_deposit_seconds(seconds), Err(Error::LimitOutOfRange));
        }
    }
}
