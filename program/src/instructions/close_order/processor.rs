use pinocchio::ProgramResult;

use crate::instructions::input::Input;
use crate::{
    error::Error,
    guards::{account::assert_owner, time::now},
    instructions::closing::{assert_pairs, close},
    state::order::Order,
};

/// Runs `close_order`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    assert_pairs(accounts, data)?;
    let clock = now()?;
    for pair in accounts.chunks_exact_mut(2) {
        let [account, sender] = pair else {
            return Err(Error::WrongAccountCount.into());
        };
        assert_owner(account, program_id)?;
        let order = Order::decode(&account.try_borrow()?)?;
        close(account, sender, &order.sender, order.closable_at(), clock)?;
    }
    Ok(())
}
