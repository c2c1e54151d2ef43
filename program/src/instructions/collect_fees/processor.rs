use pinocchio::ProgramResult;

use crate::instructions::input::Input;
use crate::instructions::{amount::parse_amount, withdrawal::WithdrawalAccounts};

/// Runs `collect_fees`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let amount = parse_amount(data)?;
    let mut accounts = WithdrawalAccounts::parse(accounts, program_id)?;
    accounts.asset.collect_fees(amount)?;
    accounts.pay(amount)
}
