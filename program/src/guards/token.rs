//! Reads token accounts at fixed offsets, which are the same in both token programs.

use pinocchio::{AccountView, Address, error::ProgramError};

use super::{account::assert_owner, mint::MULTISIG_SIZE};
use crate::{
    bytes::{array_at, u64_at},
    constants::TOKEN_2022_PROGRAM,
    error::Error,
    state::asset::Token,
};

/// Bytes of a token account, and of the part of a Token-2022 account before its extensions.
pub const TOKEN_ACCOUNT_SIZE: usize = 165;

/// The byte that follows these `TOKEN_ACCOUNT_SIZE` bytes in a token account with extensions.
const IS_TOKEN_ACCOUNT: u8 = 2;

/// Asserts that the account is an initialised account of these tokens and that `holder` holds it.
pub fn assert_token_account(
    account: &AccountView,
    token: Token,
    holder: &[u8; 32],
) -> Result<(), ProgramError> {
    if &token_account_holder(account, token)? != holder {
        return Err(Error::InvalidTokenAccount.into());
    }
    Ok(())
}

/// Asserts that the account is an initialised account of these tokens; returns its holder.
pub fn token_account_holder(account: &AccountView, token: Token) -> Result<[u8; 32], ProgramError> {
    assert_owner(account, token.program)?;
    let data = account.try_borrow()?;
    if !is_token_account(&data, token.program) || &array_at::<32>(&data, 0) != token.mint {
        return Err(Error::InvalidTokenAccount.into());
    }
    Ok(array_at(&data, 32))
}

/// This function ignores extensions. An extension that changes the amount of a transfer needs an extension of the mint,
/// and the pool refuses such mints. The other extensions (immutable owner, memo on transfer, CPI guard) are the
/// holder's choice. Token-2022 enforces them. They can't be removed from the account, so a refusal here would prevent a
/// refund permanently.
fn is_token_account(data: &[u8], program: &Address) -> bool {
    let has_layout = match data.len() {
        TOKEN_ACCOUNT_SIZE => true,
        // Token programs recognise a multisig only by its length. Its bytes could look like a token account's.
        0..TOKEN_ACCOUNT_SIZE | MULTISIG_SIZE => false,
        _ => program == &TOKEN_2022_PROGRAM && data[TOKEN_ACCOUNT_SIZE] == IS_TOKEN_ACCOUNT,
    };
    has_layout && data[108] != 0
}

/// The balance of a vault in base units. The vault's address was checked before. A vault never
/// has extensions, because only its holder, the Pool, could add them.
pub fn token_balance(vault: &AccountView, program: &Address) -> Result<u64, ProgramError> {
    assert_owner(vault, program)?;
    let data = vault.try_borrow()?;
    if data.len() != TOKEN_ACCOUNT_SIZE {
        return Err(Error::InvalidTokenAccount.into());
    }
    Ok(u64_at(&data, 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::TOKEN_PROGRAM;

    fn account(size: usize) -> Vec<u8> {
        let mut data = vec![0; size];
        data[108] = 1;
        if size > TOKEN_ACCOUNT_SIZE {
            data[TOKEN_ACCOUNT_SIZE] = IS_TOKEN_ACCOUNT;
        }
        data
    }

    #[test]
    fn only_a_token_2022_account_may_be_longer() {
        assert!(is_token_account(&account(165), &TOKEN_PROGRAM));
        assert!(is_token_account(&account(165), &TOKEN_2022_PROGRAM));
        assert!(is_token_account(&account(170), &TOKEN_2022_PROGRAM));
        assert!(!is_token_account(&account(170), &TOKEN_PROGRAM));
        assert!(!is_token_account(&account(164), &TOKEN_2022_PROGRAM));
        assert!(!is_token_account(&[], &TOKEN_2022_PROGRAM));
    }

    #[test]
    fn a_multisig_or_a_mint_is_not_taken_for_a_token_account() {
        assert!(!is_token_account(&account(MULTISIG_SIZE), &TOKEN_2022_PROGRAM));
        let mut mint = account(234);
        mint[TOKEN_ACCOUNT_SIZE] = 1;
        assert!(!is_token_account(&mint, &TOKEN_2022_PROGRAM));
    }

    #[test]
    fn an_uninitialised_token_account_is_refused() {
        assert!(!is_token_account(&[0; 165], &TOKEN_PROGRAM));
    }
}
