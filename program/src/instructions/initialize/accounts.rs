use pinocchio::{AccountView, Address, error::ProgramError};

use crate::{
    bytes::{array_at, u32_at},
    constants::{POOL_SEED, SYSTEM_PROGRAM, UPGRADEABLE_LOADER},
    error::Error,
    guards::{
        account::{assert_address, assert_owner, assert_signer, assert_writable},
        derived::assert_derived,
        rent::rent_minimum,
    },
    state::tree::TREE_SIZE,
    syscalls::is_zeroed,
};

/// The accounts of `initialize`, checked.
pub struct InitializeAccounts<'a> {
    pub payer: &'a AccountView,
    pub pool: &'a mut AccountView,
    pub pool_bump: u8,
    pub tree: &'a mut AccountView,
}

impl<'a> InitializeAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [payer, authority, pool, tree, program, program_data, system_program] = accounts else {
            return Err(Error::WrongAccountCount.into());
        };
        assert_signer(payer)?;
        assert_signer(authority)?;
        assert_writable(pool)?;
        assert_address(system_program, &SYSTEM_PROGRAM)?;
        let pool_bump = assert_derived(pool, &[POOL_SEED], program_id)?;
        if pool.owned_by(program_id) {
            return Err(Error::AlreadyInitialized.into());
        }
        assert_upgrade_authority(authority, program, program_data, program_id)?;
        assert_adoptable(tree, program_id)?;
        Ok(Self { payer, pool, pool_bump, tree })
    }
}

/// Asserts that the loader's own record names `authority` as this program's upgrade authority. The
/// record's address is derived from the program's address, so no other account can replace it.
fn assert_upgrade_authority(
    authority: &AccountView,
    program: &AccountView,
    program_data: &AccountView,
    program_id: &Address,
) -> Result<(), ProgramError> {
    const PROGRAM_DATA: u32 = 3;
    const HEADER_SIZE: usize = 45;
    assert_address(program, program_id)?;
    assert_owner(program_data, &UPGRADEABLE_LOADER)?;
    assert_derived(program_data, &[program_id.as_array()], &UPGRADEABLE_LOADER)?;
    let data = program_data.try_borrow()?;
    if data.len() < HEADER_SIZE || u32_at(&data, 0) != PROGRAM_DATA {
        return Err(Error::WrongAccountData.into());
    }
    let has_authority = data[12] == 1;
    if !has_authority || authority.address().as_array() != &array_at::<32>(&data, 13) {
        return Err(Error::NotUpgradeAuthority.into());
    }
    Ok(())
}

/// Asserts that the account can become the Tree: program-owned, exact size, all zero, rent-exempt.
fn assert_adoptable(tree: &AccountView, program_id: &Address) -> Result<(), ProgramError> {
    assert_writable(tree)?;
    assert_owner(tree, program_id)?;
    let data = tree.try_borrow()?;
    let is_exact = data.len() == TREE_SIZE && tree.lamports() >= rent_minimum(TREE_SIZE)?;
    if !is_exact || !is_zeroed(&data) {
        return Err(Error::InvalidTree.into());
    }
    Ok(())
}
