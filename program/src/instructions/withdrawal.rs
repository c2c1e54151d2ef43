//! The common part of `remove_inventory` and `collect_fees`: the accounts, and paying money out of a vault. Each of the
//! two instructions subtracts the amount from another sum in the asset's books.

use pinocchio::{AccountView, Address, ProgramResult, error::ProgramError};

use crate::{
    error::Error,
    guards::{
        payee::{assert_native_payee, assert_token_destination},
        solvency::assert_solvent,
        stored::{load_asset_with_vault, load_pool_for_admin, store_asset},
    },
    money::{TokenTransfer, assert_currency, release_lamports},
    state::{asset::Asset, pool::Pool},
};

/// The accounts of a withdrawal, checked.
pub struct WithdrawalAccounts<'a> {
    pub pool_account: &'a AccountView,
    pub pool: Pool,
    pub asset_account: &'a mut AccountView,
    pub asset: Asset,
    pub vault: &'a mut AccountView,
    pub destination: &'a mut AccountView,
    pub mint: &'a AccountView,
}

impl<'a> WithdrawalAccounts<'a> {
    pub fn parse(
        accounts: &'a mut [AccountView],
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let [admin, pool_account, asset_account, vault, destination, mint, currency] = accounts
        else {
            return Err(Error::WrongAccountCount.into());
        };
        let pool = load_pool_for_admin(pool_account, admin, program_id)?;
        let asset = load_asset_with_vault(asset_account, vault, program_id)?;
        assert_currency(&asset, mint, currency)?;
        match asset.token() {
            None => assert_native_payee(destination, program_id)?,
            Some(token) => assert_token_destination(
                destination,
                token,
                pool_account.address(),
                Error::PayeeNotPayable,
            )?,
        }
        Ok(Self { pool_account, pool, asset_account, asset, vault, destination, mint })
    }

    /// Pays `amount`. The caller has already subtracted it from the asset's inventory or fees.
    pub fn pay(self, amount: u64) -> ProgramResult {
        store_asset(self.asset_account, &self.asset)?;
        match self.asset.kind.token_program() {
            None => release_lamports(self.vault, self.destination, amount)?,
            Some(program) => TokenTransfer {
                program,
                from: self.vault,
                to: self.destination,
                mint: self.mint,
                authority: self.pool_account,
                amount,
                decimals: self.asset.decimals,
            }
            .release(self.pool.bump)?,
        }
        assert_solvent(&self.asset, self.vault) // I1
    }
}
