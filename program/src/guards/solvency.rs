//! Invariant 1 in code. After every instruction that moves money, the vault holds at least a sum of
//! three amounts: owed, earned fees, and inventory.

use pinocchio::{AccountView, error::ProgramError};

use super::{rent::rent_minimum, token::token_balance};
use crate::{error::Error, state::asset::Asset};

/// The part of the vault's balance that counts: all tokens, or the lamports above its rent minimum.
fn vault_balance(asset: &Asset, vault: &AccountView) -> Result<u64, ProgramError> {
    match asset.kind.token_program() {
        Some(program) => token_balance(vault, program),
        None => {
            let surplus = vault.lamports().checked_sub(rent_minimum(0)?);
            Ok(surplus.ok_or(Error::VaultShort)?)
        }
    }
}

/// Asserts that the vault holds at least the sum that the asset's books require. I1
#[inline(never)]
pub fn assert_solvent(asset: &Asset, vault: &AccountView) -> Result<(), ProgramError> {
    if vault_balance(asset, vault)? < asset.liabilities()? {
        return Err(Error::VaultShort.into());
    }
    Ok(())
}
