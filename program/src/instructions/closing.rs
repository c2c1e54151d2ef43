//! The common part of `close_order` and `close_nullifier`: closing an account and returning its rent.

use pinocchio::{AccountView, error::ProgramError};

use crate::{
    error::Error,
    guards::account::{assert_address_bytes, assert_writable},
};

/// Closes `account` if it may be closed at `clock`, and sends all of its lamports to `beneficiary`.
///
/// The account loses its lamports, data and owner immediately. So a second mention of it in the same
/// batch is refused. Lamports sent back in the same transaction only create an empty account of the
/// System program. A later transaction can create a new Order or Nullifier at the address. But by
/// then, every deposit or settlement that the closed account prevented has become invalid. I2 I4
pub fn close(
    account: &mut AccountView,
    beneficiary: &mut AccountView,
    expected_beneficiary: &[u8; 32],
    closable_at: u64,
    clock: u64,
) -> Result<(), ProgramError> {
    assert_writable(account)?;
    assert_writable(beneficiary)?;
    assert_address_bytes(beneficiary, expected_beneficiary)?;
    if clock < closable_at {
        return Err(Error::TooEarlyToClose.into());
    }
    let sum = beneficiary.lamports().checked_add(account.lamports()).ok_or(Error::Overflow)?;
    account.set_lamports(0);
    beneficiary.set_lamports(sum);
    account.close()
}

/// Asserts that the batch consists of one or more complete pairs of an account and its beneficiary.
pub fn assert_pairs(accounts: &[AccountView], data: &[u8]) -> Result<(), Error> {
    if accounts.is_empty() || !accounts.len().is_multiple_of(2) {
        return Err(Error::WrongAccountCount);
    }
    if !data.is_empty() {
        return Err(Error::InvalidInstructionData);
    }
    Ok(())
}
