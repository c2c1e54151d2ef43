use pinocchio::ProgramResult;

use crate::instructions::input::Input;
use crate::{
    error::Error,
    guards::{account::assert_owner, time::now},
    instructions::closing::{assert_pairs, close},
    state::nullifier::Nullifier,
};

/// Runs `close_nullifier`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    assert_pairs(accounts, data)?;
    let clock = now()?;
    for pair in accounts.chunks_exact_mut(2) {
        let [account, rent_payer] = pair else {
            return Err(Error::WrongAccountCount.into());
        };
        assert_owner(account, program_id)?;
        let nullifier = Nullifier::decode(&account.try_borrow()?)?;
        let closable_at = nullifier.closable_at as u64;
        close(account, rent_payer, &nullifier.rent_payer, closable_at, clock)?;
    }
    Ok(())
}
