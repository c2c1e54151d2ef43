use pinocchio::ProgramResult;

use super::{accounts::InitializeAccounts, data::InitializeData};
use crate::guards::derived::NewAccount;
use crate::instructions::input::Input;
use crate::{
    constants::POOL_SEED,
    guards::{derived, stored::store_pool},
    state::{
        pool::{POOL_SIZE, Pool},
        tree,
    },
};

/// Runs `initialize`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = InitializeData::parse(data)?;
    let accounts = InitializeAccounts::parse(accounts, program_id)?;
    let mut pool = Pool {
        bump: accounts.pool_bump,
        deposits_paused: false,
        admin: data.admin,
        authorisers: data.authorisers,
        domain: data.domain,
        tree: *accounts.tree.address().as_array(),
        max_deposit_seconds: 0,
    };
    pool.set_max_deposit_seconds(data.max_deposit_seconds)?;
    tree::initialize(&mut accounts.tree.try_borrow_mut()?);
    let seeds: [&[u8]; 2] = [POOL_SEED, b""];
    derived::create(NewAccount {
        account: accounts.pool,
        payer: accounts.payer,
        size: POOL_SIZE,
        owner: program_id,
        seeds,
        bump: pool.bump,
    })?;
    store_pool(accounts.pool, &pool)
}
