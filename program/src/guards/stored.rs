//! Loading and storing the program's accounts. Loading checks owner, size, discriminator and address.

use pinocchio::{AccountView, Address, error::ProgramError};

use super::{
    account::{assert_address_bytes, assert_owner},
    derived::assert_derived_with_bump,
};
use crate::{
    constants::{ASSET_SEED, POOL_SEED},
    error::Error,
    state::{asset::Asset, pool::Pool, tree},
};

/// Loads the Pool.
#[inline(never)]
pub fn load_pool(account: &AccountView, program_id: &Address) -> Result<Pool, ProgramError> {
    assert_owner(account, program_id)?;
    let pool = Pool::decode(&account.try_borrow()?)?;
    // An empty second seed doesn't change the address.
    assert_derived_with_bump(account, [POOL_SEED, b""], pool.bump, program_id)?;
    Ok(pool)
}

/// Loads the Pool, and asserts that `admin` is its admin and signed.
pub fn load_pool_for_admin(
    account: &AccountView,
    admin: &AccountView,
    program_id: &Address,
) -> Result<Pool, ProgramError> {
    let pool = load_pool(account, program_id)?;
    if admin.address().as_array() != &pool.admin {
        return Err(Error::NotAdmin.into());
    }
    super::account::assert_signer(admin)?;
    Ok(pool)
}

/// Writes the Pool back.
pub fn store_pool(account: &mut AccountView, pool: &Pool) -> Result<(), ProgramError> {
    super::account::assert_writable(account)?;
    pool.encode(&mut account.try_borrow_mut()?);
    Ok(())
}

/// Loads an Asset.
#[inline(never)]
pub fn load_asset(account: &AccountView, program_id: &Address) -> Result<Asset, ProgramError> {
    assert_owner(account, program_id)?;
    let asset = Asset::decode(&account.try_borrow()?)?;
    assert_derived_with_bump(account, [ASSET_SEED, &asset.mint], asset.bump, program_id)?;
    Ok(asset)
}

/// Loads an Asset, and asserts that `vault` is its vault.
pub fn load_asset_with_vault(
    account: &AccountView,
    vault: &AccountView,
    program_id: &Address,
) -> Result<Asset, ProgramError> {
    let asset = load_asset(account, program_id)?;
    assert_address_bytes(vault, &asset.vault)?;
    Ok(asset)
}

/// Writes an Asset back.
pub fn store_asset(account: &mut AccountView, asset: &Asset) -> Result<(), ProgramError> {
    super::account::assert_writable(account)?;
    asset.encode(&mut account.try_borrow_mut()?);
    Ok(())
}

/// Asserts that the account is the pool's Tree.
pub fn assert_tree(
    account: &AccountView,
    pool: &Pool,
    program_id: &Address,
) -> Result<(), ProgramError> {
    assert_owner(account, program_id)?;
    assert_address_bytes(account, &pool.tree)?;
    tree::check(&account.try_borrow()?)?;
    Ok(())
}
