use pinocchio::ProgramResult;

use super::{accounts::RotateAuthoriserAccounts, data::RotateAuthoriserData};
use crate::guards::stored::store_pool;
use crate::instructions::input::Input;

/// Runs `rotate_authoriser`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = RotateAuthoriserData::parse(data)?;
    let mut accounts = RotateAuthoriserAccounts::parse(accounts, program_id)?;
    accounts.pool.authorisers[data.slot] = data.key;
    store_pool(accounts.pool_account, &accounts.pool)
}
