//! Decides who may be paid. Lamports never go to an account of this program, and tokens never to a vault. Tokens for
//! any other account of this program go to its associated account, and no one can move them from there. I1 I3

use pinocchio::{AccountView, Address, error::ProgramError};

use super::{account::assert_writable, derived, token::token_account_holder};
use crate::{
    constants::{ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM},
    error::Error,
    state::asset::Token,
};

/// Asserts that the account may get lamports from the native vault. Accounts of this program and of the token programs
/// may not get lamports. The vaults of tokens are token accounts.
pub fn assert_native_payee(account: &AccountView, program_id: &Address) -> Result<(), Error> {
    assert_writable(account)?;
    let owners = [program_id, &TOKEN_PROGRAM, &TOKEN_2022_PROGRAM];
    if owners.iter().any(|owner| account.owned_by(owner)) {
        return Err(Error::PayeeNotPayable);
    }
    Ok(())
}

/// Asserts that the account is the associated token account of `payee` and that `payee` still holds
/// it. A token account can be handed over to another holder, who must not get the payee's money.
pub fn assert_token_payee(
    account: &AccountView,
    payee: &[u8; 32],
    token: Token,
) -> Result<(), ProgramError> {
    assert_writable(account)?;
    let seeds: [&[u8]; 3] = [payee, token.program.as_array(), token.mint];
    let (associated, _) = derived::find(&seeds, &ASSOCIATED_TOKEN_PROGRAM)?;
    if account.address() != &associated {
        return Err(Error::PayeeNotPayable.into());
    }
    let holder = token_account_holder(account, token).map_err(|_| Error::PayeeNotPayable)?;
    if &holder != payee {
        return Err(Error::PayeeNotPayable.into());
    }
    Ok(())
}

/// Asserts that the account may get a partner's share in lamports. It must be an account of the
/// System program. So it isn't an account of this program or a token account.
pub fn assert_native_partner(account: &AccountView) -> Result<(), Error> {
    assert_writable(account)?;
    if !account.owned_by(&SYSTEM_PROGRAM) {
        return Err(Error::PartnerNotPayable);
    }
    Ok(())
}

/// Asserts that the account may get these tokens and that the Pool doesn't hold it. So the account isn't a vault.
pub fn assert_token_destination(
    account: &AccountView,
    token: Token,
    pool: &Address,
    refusal: Error,
) -> Result<(), ProgramError> {
    assert_writable(account)?;
    let holder = token_account_holder(account, token).map_err(|_| refusal)?;
    if &holder == pool.as_array() {
        return Err(refusal.into());
    }
    Ok(())
}
