//! Makes a mint usable: creates its Asset and its vault. The payer funds the rent minimum of
//! both. The vault's rent isn't part of the accounting.

mod accounts;
mod data;
mod processor;

pub use processor::process;
