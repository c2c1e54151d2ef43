use pinocchio::ProgramResult;

use crate::instructions::input::Input;
use crate::instructions::{amount::parse_amount, withdrawal::WithdrawalAccounts};

/// Runs `remove_inventory`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let amount = parse_amount(data)?;
    let mut accounts = WithdrawalAccounts::parse(accounts, program_id)?;
    accounts.asset.remove_inventory(amount)?;
    accounts.pay(amount)
}
