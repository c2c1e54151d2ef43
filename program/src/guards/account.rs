//! Checks on a single account.

use pinocchio::{AccountView, Address};

use crate::error::Error;

/// Asserts that the account signed the transaction.
pub fn assert_signer(account: &AccountView) -> Result<(), Error> {
    if !account.is_signer() {
        return Err(Error::MissingSignature);
    }
    Ok(())
}

/// Asserts that the account may be written to.
pub fn assert_writable(account: &AccountView) -> Result<(), Error> {
    if !account.is_writable() {
        return Err(Error::NotWritable);
    }
    Ok(())
}

/// Asserts that the account belongs to `owner`.
pub fn assert_owner(account: &AccountView, owner: &Address) -> Result<(), Error> {
    if !account.owned_by(owner) {
        return Err(Error::WrongOwner);
    }
    Ok(())
}

/// Asserts that the account has `address`.
pub fn assert_address(account: &AccountView, address: &Address) -> Result<(), Error> {
    if account.address() != address {
        return Err(Error::WrongAddress);
    }
    Ok(())
}

/// Asserts that the account's address has these bytes.
pub fn assert_address_bytes(account: &AccountView, address: &[u8; 32]) -> Result<(), Error> {
    if account.address().as_array() != address {
        return Err(Error::WrongAddress);
    }
    Ok(())
}
