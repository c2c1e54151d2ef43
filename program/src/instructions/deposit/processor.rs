use pinocchio::{Address, ProgramResult, error::ProgramError};

use super::{
    accounts::{DepositAccounts, SenderToken},
    booking::{book_send, book_swap},
    data::DepositData,
    terms::{Parties, digest},
};
use crate::guards::derived::NewAccount;
use crate::instructions::input::Input;
use crate::{
    constants::ORDER_SEED,
    error::Error,
    events,
    guards::{
        authorisation::assert_authorised,
        derived,
        solvency::assert_solvent,
        stored::store_asset,
        time::{assert_deposit_times, now},
    },
    money::{TokenTransfer, pay_lamports},
    poseidon::{Note, hash_leaf, hash_node, hash_sender},
    state::{
        order::{ORDER_SIZE, Order},
        tree,
    },
};

/// Runs `deposit`. The terms are checked first. Then come the books, the note, the Order and the money.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = DepositData::parse(data)?;
    let clock = now()?;
    let mut accounts = DepositAccounts::parse(accounts, &data, program_id)?;
    let pool = &accounts.pool;
    if pool.deposits_paused {
        return Err(Error::DepositsPaused.into());
    }
    assert_deposit_times(&data.times, clock, pool.max_deposit_seconds)?; // I5
    let digest = terms_digest(&accounts, &data, program_id);
    assert_authorised(accounts.instructions_sysvar, &accounts.pool, &digest)?; // I3

    book(&mut accounts, &data, clock)?;
    let (leaf_index, root) = append_note(&mut accounts, &data, clock)?;
    create_order(&mut accounts, &data, leaf_index, program_id)?; // I4
    take_payment(&accounts, &data)?;
    assert_solvent(&accounts.source, accounts.vault)?; // I1
    events::deposited(&data.order_id, leaf_index, &root);
    Ok(())
}

#[inline(never)]
fn terms_digest(accounts: &DepositAccounts, data: &DepositData, program_id: &Address) -> [u8; 32] {
    let partner = accounts.partner.map_or(&[0; 32], |account| account.address().as_array());
    let parties = Parties {
        program_id: program_id.as_array(),
        domain: &accounts.pool.domain,
        sender: accounts.sender.address().as_array(),
        source_mint: &accounts.source.mint,
        destination_mint: accounts.destination_mint(),
        partner,
    };
    digest(&parties, data)
}

/// Enters the deposit in the books of its asset, or of both assets of a swap.
#[inline(never)]
fn book(accounts: &mut DepositAccounts, data: &DepositData, clock: u64) -> ProgramResult {
    match &mut accounts.destination {
        None => book_send(&mut accounts.source, data)?,
        Some((account, destination)) => {
            book_swap(&mut accounts.source, destination, data, clock)?;
            store_asset(account, destination)?;
        }
    }
    store_asset(accounts.source_account, &accounts.source)
}

/// Computes the leaf from the signer and the signed terms, and appends the leaf. I3
#[inline(never)]
fn append_note(
    accounts: &mut DepositAccounts,
    data: &DepositData,
    clock: u64,
) -> Result<(u64, [u8; 32]), ProgramError> {
    let asset_hash = match &accounts.destination {
        Some((_, asset)) => &asset.asset_hash,
        None => &accounts.source.asset_hash,
    };
    let leaf = hash_leaf(&Note {
        asset_hash,
        value: data.value,
        deadline: data.times.deadline,
        sender_hash: &hash_sender(accounts.sender.address().as_array())?,
        inner: &data.inner,
    })?;
    let mut tree = accounts.tree.try_borrow_mut()?;
    tree::assert_takes_deposits(&tree)?;
    Ok(tree::append(&mut tree, &leaf, clock, hash_node)?)
}

/// Creates the Order, which exists at most once. I4
#[inline(never)]
fn create_order(
    accounts: &mut DepositAccounts,
    data: &DepositData,
    leaf_index: u64,
    program_id: &Address,
) -> ProgramResult {
    let order = Order {
        bump: accounts.order_bump,
        deadline: data.times.deadline,
        leaf_index,
        sender: *accounts.sender.address().as_array(),
    };
    let seeds: [&[u8]; 2] = [ORDER_SEED, &data.order_id];
    derived::create(NewAccount {
        account: accounts.order,
        payer: accounts.sender,
        size: ORDER_SIZE,
        owner: program_id,
        seeds,
        bump: order.bump,
    })?;
    order.encode(&mut accounts.order.try_borrow_mut()?);
    Ok(())
}

/// Moves the vault's part of amountIn to the vault, and the partner's part directly to the partner.
#[inline(never)]
fn take_payment(accounts: &DepositAccounts, data: &DepositData) -> ProgramResult {
    let DepositAccounts { sender, vault, partner, token, .. } = *accounts;
    let amount = data.vault_amount()?;
    let Some(SenderToken { account: from, mint, program }) = token else {
        pay_lamports(sender, vault, amount)?;
        return partner.map_or(Ok(()), |to| pay_lamports(sender, to, data.partner_fee));
    };
    let decimals = accounts.source.decimals;
    let to_vault =
        TokenTransfer { program, from, to: vault, mint, authority: sender, amount, decimals };
    to_vault.take()?;
    partner.map_or(Ok(()), |to| TokenTransfer { to, amount: data.partner_fee, ..to_vault }.pay())
}
