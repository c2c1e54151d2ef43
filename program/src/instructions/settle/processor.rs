use pinocchio::{Address, ProgramResult, error::ProgramError};

use super::{accounts::SettleAccounts, data::SettleData};
use crate::guards::derived::NewAccount;
use crate::instructions::input::Input;
use crate::{
    constants::NULLIFIER_SEED,
    error::Error,
    events,
    guards::{
        derived,
        solvency::assert_solvent,
        stored::store_asset,
        time::{assert_settle_time, now},
    },
    money::{TokenTransfer, release_lamports},
    proof::{Statement, assert_proved},
    state::{
        nullifier::{NULLIFIER_SIZE, Nullifier},
        tree,
    },
};

/// Runs `settle`. Whether deposits are paused is not looked at: no key can hold a note back.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = SettleData::parse(data)?;
    let clock = now()?;
    assert_settle_time(data.time, clock, data.is_refund)?; // I5
    let mut accounts = SettleAccounts::parse(accounts, &data, program_id)?;
    assert_note(&accounts, &data)?; // I2 I3 I5

    create_nullifier(&mut accounts, &data, clock, program_id)?; // I2
    let paid = book(&mut accounts, &data, clock)?;
    pay(&mut accounts, paid)?;
    assert_solvent(&accounts.asset, accounts.vault)?; // I1
    events::settled(data.is_refund, &data.nullifier, paid);
    Ok(())
}

/// The proof shows a note of this asset, amount and payee under a root of the tree.
#[inline(never)]
fn assert_note(accounts: &SettleAccounts, data: &SettleData) -> Result<(), ProgramError> {
    let root = tree::root(&accounts.tree.try_borrow()?, data.root_kind, data.root_index)?;
    let statement = Statement {
        root: &root,
        nullifier: &data.nullifier,
        asset_hash: &accounts.asset.asset_hash,
        amount: data.amount,
        fee_back: data.fee_back,
        payee: &data.payee,
        time: data.time,
        refund: data.is_refund,
    };
    Ok(assert_proved(&statement, &data.proof)?)
}

/// Creates the Nullifier: one for delivery and refund, so that a note sees at most one of them. I2
#[inline(never)]
fn create_nullifier(
    accounts: &mut SettleAccounts,
    data: &SettleData,
    clock: u64,
    program_id: &Address,
) -> ProgramResult {
    let payer = accounts.payer;
    let bump = accounts.nullifier_bump;
    let account = &mut accounts.nullifier;
    let seeds: [&[u8]; 2] = [NULLIFIER_SEED, &data.nullifier];
    derived::create(NewAccount {
        account,
        payer,
        size: NULLIFIER_SIZE,
        owner: program_id,
        seeds,
        bump,
    })?;
    let nullifier = Nullifier::made_at(clock, bump, *payer.address().as_array());
    nullifier.encode(&mut account.try_borrow_mut()?);
    Ok(())
}

/// Takes the note, and the fee of a refund, out of the books; returns what is to be paid.
#[inline(never)]
fn book(accounts: &mut SettleAccounts, data: &SettleData, clock: u64) -> Result<u64, ProgramError> {
    let asset = &mut accounts.asset;
    asset.pay_note(data.amount)?;
    let fee = asset.fees.give_back(clock, data.fee_back)?;
    store_asset(accounts.asset_account, asset)?;
    Ok(data.amount.checked_add(fee).ok_or(Error::Overflow)?)
}

#[inline(never)]
fn pay(accounts: &mut SettleAccounts, amount: u64) -> ProgramResult {
    match accounts.token {
        None => release_lamports(accounts.vault, accounts.payee, amount),
        Some((mint, program)) => TokenTransfer {
            program,
            from: accounts.vault,
            to: accounts.payee,
            mint,
            authority: accounts.pool_account,
            amount,
            decimals: accounts.asset.decimals,
        }
        .release(accounts.pool.bump),
    }
}
