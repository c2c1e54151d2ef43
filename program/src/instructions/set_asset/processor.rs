use pinocchio::ProgramResult;

use super::{accounts::SetAssetAccounts, data::SetAssetData};
use crate::guards::stored::store_asset;
use crate::instructions::input::Input;

/// Runs `set_asset`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = SetAssetData::parse(data)?;
    let mut accounts = SetAssetAccounts::parse(accounts, program_id)?;
    let asset = &mut accounts.asset;
    asset.deposits_paused = data.deposits_paused;
    asset.deposit_max = data.deposit_max;
    asset.swap.set(data.swap_cap, data.swap_period_seconds)?;
    store_asset(accounts.asset_account, asset)
}
