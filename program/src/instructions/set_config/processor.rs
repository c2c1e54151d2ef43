use pinocchio::ProgramResult;

use super::{accounts::SetConfigAccounts, data::SetConfigData};
use crate::guards::stored::store_pool;
use crate::instructions::input::Input;

/// Runs `set_config`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = SetConfigData::parse(data)?;
    let mut accounts = SetConfigAccounts::parse(accounts, program_id)?;
    let pool = &mut accounts.pool;
    pool.admin = accounts.new_admin;
    pool.deposits_paused = data.deposits_paused;
    pool.set_max_deposit_seconds(data.max_deposit_seconds)?;
    store_pool(accounts.pool_account, pool)
}
