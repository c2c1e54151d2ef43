//! Program-derived addresses: finding and checking them, and creating accounts at them.

use pinocchio::{
    AccountView, Address, ProgramResult,
    cpi::{Seed, Signer},
};
use pinocchio_system::instructions::{Allocate, Assign, CreateAccount, Transfer};

use super::rent::rent_minimum;
use crate::{error::Error, syscalls::sha256};

/// The canonical address and bump of `seeds`.
pub fn find(seeds: &[&[u8]], program_id: &Address) -> Result<(Address, u8), Error> {
    Address::try_find_program_address(seeds, program_id).ok_or(Error::WrongAddress)
}

/// Asserts that the account is at the canonical address of `seeds`; returns the bump.
pub fn assert_derived(
    account: &AccountView,
    seeds: &[&[u8]],
    program_id: &Address,
) -> Result<u8, Error> {
    let (address, bump) = find(seeds, program_id)?;
    if account.address() != &address {
        return Err(Error::WrongAddress);
    }
    Ok(bump)
}

/// Asserts that the account is at the address of two seeds and a bump that this program stored. The
/// program stores only canonical bumps. With a stored bump, the check takes one hash and no search.
pub fn assert_derived_with_bump(
    account: &AccountView,
    seeds: [&[u8]; 2],
    bump: u8,
    program_id: &Address,
) -> Result<(), Error> {
    let address =
        sha256(&[seeds[0], seeds[1], &[bump], program_id.as_array(), b"ProgramDerivedAddress"]);
    if account.address().as_array() != &address {
        return Err(Error::WrongAddress);
    }
    Ok(())
}

/// An account to be created at a derived address.
pub struct NewAccount<'a> {
    pub account: &'a mut AccountView,
    pub payer: &'a AccountView,
    pub size: usize,
    pub owner: &'a Address,
    pub seeds: [&'a [u8]; 2],
    pub bump: u8,
}

/// Creates a rent-exempt account at a derived address. `CreateAccount` fails if the address already
/// has lamports, so a stranger could block an order with one lamport. In this case, the function
/// transfers the missing lamports, allocates the account and assigns it.
#[inline(never)]
pub fn create(new: NewAccount) -> ProgramResult {
    let NewAccount { account, payer, size, owner, seeds, bump } = new;
    let bump = [bump];
    let seeds = [Seed::from(seeds[0]), Seed::from(seeds[1]), Seed::from(&bump)];
    let signers = [Signer::from(&seeds)];
    let (space, minimum) = (size as u64, rent_minimum(size)?);
    let funded = account.lamports();
    if funded == 0 {
        let create = CreateAccount { from: payer, to: account, lamports: minimum, space, owner };
        return create.invoke_signed(&signers);
    }
    if funded < minimum {
        Transfer { from: payer, to: account, lamports: minimum - funded }.invoke()?;
    }
    Allocate { account, space }.invoke_signed(&signers)?;
    Assign { account, owner }.invoke_signed(&signers)
}
