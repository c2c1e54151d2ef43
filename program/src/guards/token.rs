//! Reading accounts of the token program at fixed offsets.

use pinocchio::{AccountView, error::ProgramError};

use super::account::assert_owner;
use crate::{
    bytes::{array_at, u64_at},
    constants::{TOKEN_2022_PROGRAM, TOKEN_PROGRAM},
    error::Error,
};

/// Bytes of a token account.
pub const TOKEN_ACCOUNT_SIZE: usize = 165;

const MINT_SIZE: usize = 82;

/// The account is an initialised mint of the SPL Token program; returns its decimals.
pub fn read_mint_decimals(mint: &AccountView) -> Result<u8, ProgramError> {
    if mint.owned_by(&TOKEN_2022_PROGRAM) {
        return Err(Error::Token2022Unsupported.into());
    }
    if !mint.owned_by(&TOKEN_PROGRAM) {
        return Err(Error::InvalidMint.into());
    }
    let data = mint.try_borrow()?;
    if data.len() != MINT_SIZE || data[45] != 1 {
        return Err(Error::InvalidMint.into());
    }
    Ok(data[44])
}

/// The account is an initialised token account of `mint`, and the wallet that holds it is `holder`.
pub fn assert_token_account(
    account: &AccountView,
    mint: &[u8; 32],
    holder: &[u8; 32],
) -> Result<(), ProgramError> {
    if &token_account_holder(account, mint)? != holder {
        return Err(Error::InvalidTokenAccount.into());
    }
    Ok(())
}

/// The account is an initialised token account of `mint`; returns the wallet that holds it.
pub fn token_account_holder(
    account: &AccountView,
    mint: &[u8; 32],
) -> Result<[u8; 32], ProgramError> {
    assert_owner(account, &TOKEN_PROGRAM)?;
    let data = account.try_borrow()?;
    if data.len() != TOKEN_ACCOUNT_SIZE || data[108] == 0 || &array_at::<32>(&data, 0) != mint {
        return Err(Error::InvalidTokenAccount.into());
    }
    Ok(array_at(&data, 32))
}

/// The balance of a token account in base units. The vault's address was checked before.
pub fn token_balance(account: &AccountView) -> Result<u64, ProgramError> {
    assert_owner(account, &TOKEN_PROGRAM)?;
    let data = account.try_borrow()?;
    if data.len() != TOKEN_ACCOUNT_SIZE {
        return Err(Error::InvalidTokenAccount.into());
    }
    Ok(u64_at(&data, 64))
}
