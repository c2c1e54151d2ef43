//! The on-chain program of Sotto: one shielded pool. It takes deposits for signed orders. With a
//! zero-knowledge proof, it pays each note once, to a payee or back to the sender.
//! `docs/protocol.md` is its specification, byte by byte. `I1` to `I9` in comments name
//! the invariants of `docs/invariants.md` that the code defends.

#![cfg_attr(target_os = "solana", no_std)]
#![deny(unsafe_code)]

pub mod bytes;
pub mod constants;
#[cfg(target_os = "solana")]
#[allow(unsafe_code)]
mod entrypoint;
pub mod error;
pub mod events;
pub mod field;
pub mod guards;
pub mod instructions;
pub mod money;
pub mod poseidon;
pub mod proof;
pub mod state;
#[allow(unsafe_code)]
pub mod syscalls;
#[cfg(test)]
mod vectors;
pub mod vk;

use pinocchio::{AccountView, Address, ProgramResult};

use error::Error;
use instructions::{
    add_asset, add_inventory, close_nullifier, close_order, collect_fees, deposit, initialize,
    input::Input, remove_inventory, rotate_authoriser, set_asset, set_config, settle,
};

/// Runs one instruction, chosen by the first byte of `data`.
pub fn process_instruction(
    program_id: &Address,
    accounts: &mut [AccountView],
    data: &[u8],
) -> ProgramResult {
    let (tag, data) = data.split_first().ok_or(Error::UnknownInstruction)?;
    let input = Input { program_id, accounts, data };
    match tag {
        0 => initialize::process(input),
        1 => set_config::process(input),
        2 => rotate_authoriser::process(input),
        3 => add_asset::process(input),
        4 => set_asset::process(input),
        5 => add_inventory::process(input),
        6 => remove_inventory::process(input),
        7 => collect_fees::process(input),
        8 => deposit::process(input),
        9 => settle::process(input),
        10 => close_order::process(input),
        11 => close_nullifier::process(input),
        _ => Err(Error::UnknownInstruction.into()),
    }
}
