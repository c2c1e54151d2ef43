use pinocchio::{Address, ProgramResult};
use pinocchio_token::instructions::InitializeAccount3;

use super::{accounts::AddAssetAccounts, data::AddAssetData};
use crate::guards::derived::NewAccount;
use crate::instructions::input::Input;
use crate::{
    constants::{ASSET_SEED, VAULT_SEED},
    guards::{derived, solvency::assert_solvent, stored::store_asset, token::TOKEN_ACCOUNT_SIZE},
    poseidon::hash_asset,
    state::{
        asset::{ASSET_SIZE, Asset},
        swap_allowance::SwapAllowance,
    },
};

/// Runs `add_asset`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let data = AddAssetData::parse(data)?;
    let mut accounts = AddAssetAccounts::parse(accounts, program_id)?;
    create_vault(&mut accounts, program_id)?;
    create_asset(&mut accounts, &data, program_id)
}

/// Creates the vault. The native vault belongs to this program and has no data. So the program can
/// pay lamports out of it. A token vault is a token account held by the Pool.
#[inline(never)]
fn create_vault(accounts: &mut AddAssetAccounts, program_id: &Address) -> ProgramResult {
    let token_program = accounts.kind.token_program();
    let (size, owner) = match token_program {
        None => (0, program_id),
        // The mint has no extension that would need a longer account.
        Some(program) => (TOKEN_ACCOUNT_SIZE, program),
    };
    let seeds = [VAULT_SEED, accounts.mint.address().as_array()];
    derived::create(NewAccount {
        account: accounts.vault,
        payer: accounts.payer,
        size,
        owner,
        seeds,
        bump: accounts.vault_bump,
    })?;
    let Some(program) = token_program else {
        return Ok(());
    };
    InitializeAccount3::new(accounts.vault, accounts.mint, accounts.pool_account.address())
        .invoke_with_unverified_program(program)
}

#[inline(never)]
fn create_asset(
    accounts: &mut AddAssetAccounts,
    data: &AddAssetData,
    program_id: &Address,
) -> ProgramResult {
    let mint = *accounts.mint.address().as_array();
    let mut asset = Asset {
        bump: accounts.asset_bump,
        kind: accounts.kind,
        decimals: accounts.decimals,
        vault_bump: accounts.vault_bump,
        deposits_paused: false,
        mint,
        vault: *accounts.vault.address().as_array(),
        asset_hash: hash_asset(&accounts.pool.domain, &mint)?,
        owed: 0,
        inventory: 0,
        fees: 0,
        deposit_max: data.deposit_max,
        swap: SwapAllowance::default(),
    };
    asset.swap.set(data.swap_cap, data.swap_period_seconds)?;
    let seeds: [&[u8]; 2] = [ASSET_SEED, &mint];
    derived::create(NewAccount {
        account: accounts.asset,
        payer: accounts.payer,
        size: ASSET_SIZE,
        owner: program_id,
        seeds,
        bump: asset.bump,
    })?;
    assert_solvent(&asset, accounts.vault)?;
    store_asset(accounts.asset, &asset)
}
