use core::slice::IterMut;

use pinocchio::{AccountView, Address, error::ProgramError};

use super::data::DepositData;
use crate::{
    constants::{ORDER_SEED, SYSTEM_PROGRAM},
    error::Error,
    guards::{
        account::{assert_address, assert_address_bytes, assert_signer, assert_writable},
        derived::assert_derived,
        payee::{assert_native_partner, assert_token_destination},
        stored::{assert_tree, load_asset, load_asset_with_vault, load_pool},
        token::assert_token_account,
    },
    state::{
        asset::{Asset, Token},
        pool::Pool,
    },
};

/// The token account that pays a deposit's tokens, and its mint.
#[derive(Clone, Copy)]
pub struct SenderToken<'a> {
    pub account: &'a AccountView,
    pub mint: &'a AccountView,
    pub program: &'static Address,
}

/// The accounts of a deposit, checked.
pub struct DepositAccounts<'a> {
    pub sender: &'a AccountView,
    pub pool: Pool,
    pub tree: &'a mut AccountView,
    pub order: &'a mut AccountView,
    pub order_bump: u8,
    pub source_account: &'a mut AccountView,
    pub source: Asset,
    pub vault: &'a AccountView,
    pub instructions_sysvar: &'a AccountView,
    /// The destination asset of a swap.
    pub destination: Option<(&'a mut AccountView, Asset)>,
    /// Present if the source is a token.
    pub token: Option<SenderToken<'a>>,
    pub partner: Option<&'a AccountView>,
}

impl<'a> DepositAccounts<'a> {
    #[inline(never)]
    pub fn parse(
        accounts: &'a mut [AccountView],
        data: &DepositData,
        program_id: &Address,
    ) -> Result<Self, ProgramError> {
        let mut rest = accounts.iter_mut();
        let sender = next(&mut rest)?;
        let pool_account = next(&mut rest)?;
        let tree = next(&mut rest)?;
        let order = next(&mut rest)?;
        let source_account = next(&mut rest)?;
        let vault = next(&mut rest)?;
        let instructions_sysvar = next(&mut rest)?;
        assert_address(next(&mut rest)?, &SYSTEM_PROGRAM)?;

        assert_signer(sender)?;
        assert_writable(vault)?;
        let pool = load_pool(pool_account, program_id)?;
        assert_tree(tree, &pool, program_id)?;
        assert_writable(tree)?;
        let order_bump = assert_new_order(order, &data.order_id, program_id)?;
        let source = load_asset_with_vault(source_account, vault, program_id)?;
        let destination = match data.is_swap {
            true => Some(next_asset(&mut rest, program_id)?),
            false => None,
        };
        let token = match source.token() {
            Some(token) => Some(next_token(&mut rest, token, sender)?),
            None => None,
        };
        let partner = match data.partner_fee {
            0 => None,
            _ => Some(next_partner(&mut rest, &source, pool_account, order)?),
        };
        if rest.next().is_some() {
            return Err(Error::WrongAccountCount.into());
        }
        Ok(Self {
            sender,
            pool,
            tree,
            order,
            order_bump,
            source_account,
            source,
            vault,
            instructions_sysvar,
            destination,
            token,
            partner,
        })
    }

    /// The mint of the note.
    pub fn destination_mint(&self) -> &[u8; 32] {
        match &self.destination {
            Some((_, asset)) => &asset.mint,
            None => &self.source.mint,
        }
    }
}

fn next<'a>(rest: &mut IterMut<'a, AccountView>) -> Result<&'a mut AccountView, Error> {
    rest.next().ok_or(Error::WrongAccountCount)
}

/// Asserts that the order was not deposited before. I4
fn assert_new_order(
    order: &AccountView,
    order_id: &[u8; 16],
    program_id: &Address,
) -> Result<u8, ProgramError> {
    assert_writable(order)?;
    let bump = assert_derived(order, &[ORDER_SEED, order_id], program_id)?;
    if order.owned_by(program_id) {
        return Err(Error::OrderExists.into());
    }
    Ok(bump)
}

fn next_asset<'a>(
    rest: &mut IterMut<'a, AccountView>,
    program_id: &Address,
) -> Result<(&'a mut AccountView, Asset), ProgramError> {
    let account = next(rest)?;
    let asset = load_asset(account, program_id)?;
    Ok((account, asset))
}

fn next_token<'a>(
    rest: &mut IterMut<'a, AccountView>,
    token: Token,
    sender: &AccountView,
) -> Result<SenderToken<'a>, ProgramError> {
    let (account, mint, program) = (next(rest)?, next(rest)?, next(rest)?);
    assert_address_bytes(mint, token.mint)?;
    assert_address(program, token.program)?;
    assert_token_account(account, token, sender.address().as_array())?;
    Ok(SenderToken { account, mint, program: token.program })
}

fn next_partner<'a>(
    rest: &mut IterMut<'a, AccountView>,
    source: &Asset,
    pool: &AccountView,
    order: &AccountView,
) -> Result<&'a AccountView, ProgramError> {
    let partner = next(rest)?;
    match source.token() {
        // The check for a wallet below would accept the Order, which belongs to the System program until it is created.
        None if partner.address() == order.address() => {
            return Err(Error::PartnerNotPayable.into());
        }
        None => assert_native_partner(partner)?,
        Some(token) => {
            assert_token_destination(partner, token, pool.address(), Error::PartnerNotPayable)?
        }
    }
    Ok(partner)
}
