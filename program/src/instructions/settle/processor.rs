use pinocchio::{Address, ProgramResult, error::ProgramError};

use super::{accounts::SettleAccounts, data::SettleData};
use crate::guards::derived::NewAccount;
use crate::instructions::input::Input;
use crate::{
    constants::NULLIFIER_SEED,
    events,
    guards::{
        derived,
        solvency::assert_solvent,
        stored::store_asset,
        time::{assert_settle_time, now},
    },
    money::{TokenTransfer, release_lamports},
    poseidon::hash_node,
    proof::{Statement, assert_proved},
    state::{
        nullifier::{NULLIFIER_SIZE, Nullifier},
        tree,
    },
};

/// Runs `settle`. It works while deposits are paused, so the admin can't block a note.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = SettleData::parse(data)?;
    let clock = now()?;
    assert_settle_time(data.time, clock, data.is_refund)?; // I5
    let mut accounts = SettleAccounts::parse(accounts, &data, program_id)?;
    assert_note(&accounts, &data)?; // I2 I3 I5

    create_nullifier(&mut accounts, &data, clock, program_id)?; // I2
    append_change(&mut accounts, &data, clock)?;
    accounts.asset.settle(data.payout, data.fee)?;
    store_asset(accounts.asset_account, &accounts.asset)?;
    pay(&mut accounts, data.payout)?;
    assert_solvent(&accounts.asset, accounts.vault)?; // I1
    events::settled(data.is_refund, &data.nullifier, data.payout);
    Ok(())
}

/// Asserts that the proof shows a note of this asset under a root of the tree. Also asserts that
/// the note may pay this amount to this payee and leave this change.
#[inline(never)]
fn assert_note(accounts: &SettleAccounts, data: &SettleData) -> Result<(), ProgramError> {
    let root = tree::root(&accounts.tree.try_borrow()?, data.root_kind, data.root_index)?;
    let statement = Statement {
        root: &root,
        nullifier: &data.nullifier,
        asset_hash: &accounts.asset.asset_hash,
        payout: data.payout,
        fee: data.fee,
        payee: &data.payee,
        time: data.time,
        refund: data.is_refund,
        change_leaf: &data.change_leaf,
    };
    Ok(assert_proved(&statement, &data.proof)?)
}

/// Creates the Nullifier. It is the same for all kinds of settlement, so only one of them can land. I2
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
    let nullifier = Nullifier::made_at(clock, bump, *payer.address().as_array())?;
    nullifier.encode(&mut account.try_borrow_mut()?);
    Ok(())
}

/// Appends the change as a new note. The change of a refund has no value. So a refund into a full
/// tree appends no leaf, and a full tree can't block a refund.
#[inline(never)]
fn append_change(accounts: &mut SettleAccounts, data: &SettleData, clock: u64) -> ProgramResult {
    let mut tree = accounts.tree.try_borrow_mut()?;
    if data.is_refund && tree::is_full(&tree) {
        return Ok(());
    }
    tree::append(&mut tree, &data.change_leaf, clock, hash_node)?;
    Ok(())
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
