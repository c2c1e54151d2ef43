//! One folder for each instruction: its accounts, its data, and its steps.

pub mod add_asset;
pub mod add_inventory;
pub mod amount;
pub mod close_nullifier;
pub mod close_order;
pub mod closing;
pub mod collect_fees;
pub mod deposit;
pub mod initialize;
pub mod input;
pub mod remove_inventory;
pub mod rotate_authoriser;
pub mod set_asset;
pub mod set_config;
pub mod settle;
pub mod withdrawal;
