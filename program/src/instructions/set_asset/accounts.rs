use pinocchio::{AccountView, Address, error::ProgramError};

use crate::{
    error::Error,
    guards::stored::{load_asset, load_pool_for_admin},
    state::asset::Asset,
};

/// The accounts of `set_asset`, checked.
pub struct SetAssetAccounts<'a> {
    pub asset_account: &'a mut AccountView,
    pub asset: Asset,
}

impl<'a> SetAssetAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [admin, pool, asset_account] = accounts else {
            return Err(Error::WrongAccountCount.into());
        };
        load_pool_for_admin(pool, admin, program_id)?;
        let asset = load_asset(asset_account, program_id)?;
        Ok(Self { asset_account, asset })
    }
}
