use pinocchio::ProgramResult;

use super::accounts::AddInventoryAccounts;
use crate::instructions::input::Input;
use crate::{
    guards::{solvency::assert_solvent, stored::store_asset},
    instructions::amount::parse_amount,
    money::{TokenTransfer, pay_lamports},
};

/// Runs `add_inventory`.
#[inline(never)]
pub fn process(input: Input) -> ProgramResult {
    let Input { program_id, accounts, data } = input;
    let amount = parse_amount(data)?;
    let AddInventoryAccounts { admin, asset_account, mut asset, vault, source, mint } =
        AddInventoryAccounts::parse(accounts, program_id)?;
    asset.add_inventory(amount)?;
    store_asset(asset_account, &asset)?;
    match asset.kind.token_program() {
        None => pay_lamports(source, vault, amount)?,
        Some(program) => TokenTransfer {
            program,
            from: source,
            to: vault,
            mint,
            authority: admin,
            amount,
            decimals: asset.decimals,
        }
        .take()?,
    }
    assert_solvent(&asset, vault) // I1
}
