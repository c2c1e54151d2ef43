use pinocchio::{AccountView, Address, error::ProgramError};

use crate::{
    constants::{ASSET_SEED, SYSTEM_PROGRAM, VAULT_SEED},
    error::Error,
    guards::{
        account::{assert_address, assert_signer, assert_writable},
        derived::assert_derived,
        mint::{Mint, read_mint},
        stored::load_pool_for_admin,
    },
    money::currency_program,
    state::{asset::Kind, pool::Pool},
};

/// The accounts of `add_asset`, checked.
pub struct AddAssetAccounts<'a> {
    pub payer: &'a AccountView,
    pub pool_account: &'a AccountView,
    pub pool: Pool,
    pub mint: &'a AccountView,
    pub asset: &'a mut AccountView,
    pub asset_bump: u8,
    pub vault: &'a mut AccountView,
    pub vault_bump: u8,
    pub kind: Kind,
    pub decimals: u8,
}

impl<'a> AddAssetAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [payer, admin, pool_account, mint, asset, vault, token_program, system_program] =
            accounts
        else {
            return Err(Error::WrongAccountCount.into());
        };
        assert_signer(payer)?;
        let pool = load_pool_for_admin(pool_account, admin, program_id)?;
        assert_writable(asset)?;
        assert_writable(vault)?;
        assert_address(system_program, &SYSTEM_PROGRAM)?;
        let Mint { kind, decimals } = read_mint(mint)?;
        assert_address(token_program, currency_program(kind))?;
        let mint_bytes = mint.address().as_array();
        let asset_bump = assert_derived(asset, &[ASSET_SEED, mint_bytes], program_id)?;
        let vault_bump = assert_derived(vault, &[VAULT_SEED, mint_bytes], program_id)?;
        if asset.owned_by(program_id) {
            return Err(Error::AlreadyInitialized.into());
        }
        Ok(Self {
            payer,
            pool_account,
            pool,
            mint,
            asset,
            asset_bump,
            vault,
            vault_bump,
            kind,
            decimals,
        })
    }
}
