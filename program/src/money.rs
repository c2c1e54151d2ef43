//! Moving money in and out of vaults, in lamports or tokens.

use pinocchio::{
    AccountView, Address, ProgramResult,
    cpi::{Seed, Signer},
    error::ProgramError,
};
use pinocchio_system::instructions::Transfer;
use pinocchio_token::instructions::TransferChecked;

use crate::{
    constants::{POOL_SEED, SYSTEM_PROGRAM},
    error::Error,
    guards::{
        account::{assert_address, assert_address_bytes, assert_writable},
        token::token_balance,
    },
    state::asset::{Asset, Kind},
};

/// Asserts that the given mint and program fit the asset: the token program for a token, the
/// System program for lamports.
pub fn assert_currency(
    asset: &Asset,
    mint: &AccountView,
    program: &AccountView,
) -> Result<(), Error> {
    assert_address_bytes(mint, &asset.mint)?;
    assert_address(program, currency_program(asset.kind))
}

/// The program that moves money of this kind.
pub fn currency_program(kind: Kind) -> &'static Address {
    kind.token_program().unwrap_or(&SYSTEM_PROGRAM)
}

/// Moves lamports out of a wallet that signed the transaction.
pub fn pay_lamports(from: &AccountView, to: &AccountView, amount: u64) -> ProgramResult {
    Transfer { from, to, lamports: amount }.invoke()
}

/// A movement of tokens.
pub struct TokenTransfer<'a> {
    /// The token program of the mint, as the Asset records it.
    pub program: &'a Address,
    pub from: &'a AccountView,
    pub to: &'a AccountView,
    pub mint: &'a AccountView,
    /// The account that may move the tokens: the sender, or the Pool for its vaults.
    pub authority: &'a AccountView,
    pub amount: u64,
    pub decimals: u8,
}

impl TokenTransfer<'_> {
    /// Moves tokens whose authority signed the transaction.
    pub fn pay(&self) -> ProgramResult {
        self.invoke(&[])
    }

    /// Moves tokens into a vault. The vault must gain exactly the amount.
    pub fn take(&self) -> ProgramResult {
        let before = token_balance(self.to, self.program)?;
        self.invoke(&[])?;
        if token_balance(self.to, self.program)?.checked_sub(before) != Some(self.amount) {
            return Err(Error::VaultDeltaMismatch.into());
        }
        Ok(())
    }

    /// Moves tokens out of a vault, signed by the Pool. The vault must lose exactly the amount.
    pub fn release(&self, pool_bump: u8) -> ProgramResult {
        let before = token_balance(self.from, self.program)?;
        let bump = [pool_bump];
        let seeds = [Seed::from(POOL_SEED), Seed::from(&bump)];
        self.invoke(&[Signer::from(&seeds)])?;
        if before.checked_sub(token_balance(self.from, self.program)?) != Some(self.amount) {
            return Err(Error::VaultDeltaMismatch.into());
        }
        Ok(())
    }

    #[inline(never)]
    fn invoke(&self, signers: &[Signer]) -> ProgramResult {
        let Self { program, from, to, mint, authority, amount, decimals } = *self;
        TransferChecked::new(from, mint, to, authority, amount, decimals)
            .invoke_signed_with_unverified_program(signers, program)
    }
}

/// Moves lamports out of the native vault. Afterwards, the same instruction may call no other
/// program, because the runtime would find the lamports unbalanced. `assert_solvent` runs
/// afterwards, so the vault stays above its rent minimum.
pub fn release_lamports(
    vault: &mut AccountView,
    to: &mut AccountView,
    amount: u64,
) -> Result<(), ProgramError> {
    assert_writable(vault)?;
    if vault.address() == to.address() {
        return Err(Error::PayeeNotPayable.into());
    }
    let left = vault.lamports().checked_sub(amount).ok_or(Error::VaultShort)?;
    let sum = to.lamports().checked_add(amount).ok_or(Error::Overflow)?;
    vault.set_lamports(left);
    to.set_lamports(sum);
    Ok(())
}
