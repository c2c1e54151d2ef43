//! The authorisation of a deposit: the ed25519 instruction directly before it. The precompile has
//! verified that instruction before this program runs. This module checks that the verified key
//! belongs to the pool, and that the verified message is the digest of these terms. I3 I6

use pinocchio::{AccountView, error::ProgramError, sysvars::instructions::Instructions};

use crate::{bytes::array_at, constants::ED25519_PROGRAM, error::Error, state::pool::Pool};

/// Bytes of the ed25519 instruction.
pub const AUTHORISATION_SIZE: usize = 144;

/// The header: one signature at 48, the key at 16, a message of 32 bytes at 112, all in this same instruction (0xffff).
/// With another index, the precompile could verify the bytes of another instruction, but this program would read the
/// bytes of this instruction.
pub const HEADER: [u8; 16] =
    [1, 0, 0x30, 0, 0xff, 0xff, 0x10, 0, 0xff, 0xff, 0x70, 0, 0x20, 0, 0xff, 0xff];

/// Asserts that the instruction before the current instruction authorises `digest` with a key of the pool. `sysvar`
/// must be the instructions sysvar; any other account is refused by its address.
#[inline(never)]
pub fn assert_authorised(
    sysvar: &AccountView,
    pool: &Pool,
    digest: &[u8; 32],
) -> Result<(), ProgramError> {
    let instructions = Instructions::try_from(sysvar).map_err(|_| Error::WrongAddress)?;
    let verification =
        instructions.get_instruction_relative(-1).map_err(|_| Error::AuthorisationMissing)?;
    if verification.get_program_id() != &ED25519_PROGRAM {
        return Err(Error::AuthorisationMissing.into());
    }
    assert_verifies(verification.get_instruction_data(), pool, digest)?;
    Ok(())
}

/// Asserts that `data` is an ed25519 instruction over `digest` with a key of the pool.
fn assert_verifies(data: &[u8], pool: &Pool, digest: &[u8; 32]) -> Result<(), Error> {
    if data.len() != AUTHORISATION_SIZE || data[..16] != HEADER {
        return Err(Error::AuthorisationMalformed);
    }
    if !pool.is_authoriser(&array_at(data, 16)) {
        return Err(Error::AuthoriserUnknown);
    }
    if &array_at::<32>(data, 112) != digest {
        return Err(Error::AuthorisationMismatch);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool {
            bump: 0,
            deposits_paused: false,
            admin: [1; 32],
            authorisers: [[7; 32], [0; 32]],
            domain: [0; 32],
            tree: [0; 32],
            max_deposit_seconds: 1,
        }
    }

    fn verification() -> [u8; AUTHORISATION_SIZE] {
        let mut data = [0; AUTHORISATION_SIZE];
        data[..16].copy_from_slice(&HEADER);
        data[16..48].fill(7);
        data[112..].fill(9);
        data
    }

    #[test]
    fn only_the_exact_form_is_accepted() {
        assert_eq!(assert_verifies(&verification(), &pool(), &[9; 32]), Ok(()));
        for at in 0..16 {
            let mut changed = verification();
            changed[at] ^= 1;
            let result = assert_verifies(&changed, &pool(), &[9; 32]);
            assert_eq!(result, Err(Error::AuthorisationMalformed));
        }
        let short = &verification()[..143];
        assert_eq!(assert_verifies(short, &pool(), &[9; 32]), Err(Error::AuthorisationMalformed));
    }

    #[test]
    fn another_key_and_an_unset_key_are_refused() {
        for key in [0, 8] {
            let mut changed = verification();
            changed[16..48].fill(key);
            let result = assert_verifies(&changed, &pool(), &[9; 32]);
            assert_eq!(result, Err(Error::AuthoriserUnknown));
        }
    }

    #[test]
    fn other_terms_are_refused() {
        let result = assert_verifies(&verification(), &pool(), &[8; 32]);
        assert_eq!(result, Err(Error::AuthorisationMismatch));
    }
}
