use pinocchio::{AccountView, Address, error::ProgramError};

use crate::{
    error::Error,
    guards::{
        account::assert_address,
        stored::{load_asset_with_vault, load_pool_for_admin},
        token::assert_token_account,
    },
    money::assert_currency,
    state::asset::Asset,
};

/// The accounts of `add_inventory`, checked.
pub struct AddInventoryAccounts<'a> {
    pub admin: &'a AccountView,
    pub asset_account: &'a mut AccountView,
    pub asset: Asset,
    pub vault: &'a AccountView,
    pub source: &'a AccountView,
    pub mint: &'a AccountView,
}

impl<'a> AddInventoryAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [admin, pool, asset_account, vault, source, mint, currency] = accounts else {
            return Err(Error::WrongAccountCount.into());
        };
        load_pool_for_admin(pool, admin, program_id)?;
        let asset = load_asset_with_vault(asset_account, vault, program_id)?;
        assert_currency(&asset, mint, currency)?;
        match asset.token() {
            None => assert_address(source, admin.address())?,
            Some(token) => assert_token_account(source, token, admin.address().as_array())?,
        }
        Ok(Self { admin, asset_account, asset, vault, source, mint })
    }
}
