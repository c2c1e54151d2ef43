//! Invariant 1 in code: after every instruction that moves money, the vault holds at least what its
//! asset owes, has earned and keeps for swaps.

use pinocchio::{
    AccountView,
    error::ProgramError,
    sysvars::{Sysvar, rent::Rent},
};

use super::token::token_balance;
use crate::{
    error::Error,
    state::asset::{Asset, Kind},
};

/// Lamports that keep an account of `size` bytes alive, by the chain's rent sysvar.
pub fn rent_minimum(size: usize) -> Result<u64, ProgramError> {
    Rent::get()?.try_minimum_balance(size)
}

/// What of the vault's balance counts: all tokens, or the lamports above its rent minimum.
pub fn vault_balance(asset: &Asset, vault: &AccountView) -> Result<u64, ProgramError> {
    match asset.kind {
        Kind::Token => token_balance(vault),
        Kind::Native => Ok(vault.lamports().saturating_sub(rent_minimum(0)?)),
    }
}

/// The vault holds what the asset stands for. I1
#[inline(never)]
pub fn assert_solvent(asset: &Asset, vault: &AccountView) -> Result<(), ProgramError> {
    if vault_balance(asset, vault)? < asset.liabilities()? {
        return Err(Error::VaultShort.into());
    }
    Ok(())
}
