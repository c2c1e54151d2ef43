use pinocchio::{AccountView, Address, error::ProgramError};

use super::data::SettleData;
use crate::{
    constants::{NULLIFIER_SEED, SYSTEM_PROGRAM},
    error::Error,
    guards::{
        account::{assert_address, assert_address_bytes, assert_signer, assert_writable},
        derived::assert_derived,
        payee::{assert_native_payee, assert_token_payee},
        stored::{assert_tree, load_asset_with_vault, load_pool},
    },
    state::{asset::Asset, pool::Pool},
};

/// The accounts of a settlement, checked.
pub struct SettleAccounts<'a> {
    pub payer: &'a AccountView,
    pub pool_account: &'a AccountView,
    pub pool: Pool,
    pub tree: &'a mut AccountView,
    pub asset_account: &'a mut AccountView,
    pub asset: Asset,
    pub vault: &'a mut AccountView,
    pub nullifier: &'a mut AccountView,
    pub nullifier_bump: u8,
    pub payee: &'a mut AccountView,
    /// A token's mint account, and its token program.
    pub token: Option<(&'a AccountView, &'static Address)>,
}

impl<'a> SettleAccounts<'a> {
    #[inline(never)]
    pub fn parse(
        accounts: &'a mut [AccountView],
        data: &SettleData,
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [
            payer,
            pool_account,
            tree,
            asset_account,
            vault,
            nullifier,
            payee,
            system_program,
            rest @ ..,
        ] = accounts
        else {
            return Err(Error::WrongAccountCount.into());
        };
        assert_signer(payer)?;
        assert_writable(vault)?;
        assert_address(system_program, &SYSTEM_PROGRAM)?;
        let pool = load_pool(pool_account, program_id)?;
        assert_tree(tree, &pool, program_id)?;
        assert_writable(tree)?;
        let asset = load_asset_with_vault(asset_account, vault, program_id)?;
        let nullifier_bump = assert_unspent(nullifier, &data.nullifier, program_id)?;
        let token = assert_payee(payee, rest, &asset, data, program_id)?;
        if payee.address() == nullifier.address() {
            return Err(Error::PayeeNotPayable.into());
        }
        Ok(Self {
            payer,
            pool_account,
            pool,
            tree,
            asset_account,
            asset,
            vault,
            nullifier,
            nullifier_bump,
            payee,
            token,
        })
    }
}

/// Asserts that the note was not settled before. I2
fn assert_unspent(
    account: &AccountView,
    nullifier: &[u8; 32],
    program_id: &Address,
) -> Result<u8, ProgramError> {
    assert_writable(account)?;
    let bump = assert_derived(account, &[NULLIFIER_SEED, nullifier], program_id)?;
    if account.owned_by(program_id) {
        return Err(Error::NullifierSpent.into());
    }
    Ok(bump)
}

/// Asserts that the account is the payee's account for this asset. The proof names the payee. I3
fn assert_payee<'a>(
    account: &AccountView,
    rest: &'a [AccountView],
    asset: &Asset,
    data: &SettleData,
    program_id: &Address,
) -> Result<Option<(&'a AccountView, &'static Address)>, ProgramError> {
    match (asset.token(), rest) {
        (None, []) => {
            assert_address_bytes(account, &data.payee)?;
            assert_native_payee(account, program_id)?;
            Ok(None)
        }
        (Some(token), [mint, program]) => {
            assert_address_bytes(mint, token.mint)?;
            assert_address(program, token.program)?;
            assert_token_payee(account, &data.payee, token)?;
            Ok(Some((mint, token.program)))
        }
        _ => Err(Error::WrongAccountCount.into()),
    }
}
