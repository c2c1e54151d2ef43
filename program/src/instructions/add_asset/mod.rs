//! Makes a mint usable: creates its Asset and its vault. The payer funds the rent minimum of both; the
//! vault's stays outside the accounting.

mod accounts;
mod data;
mod processor;

pub use processor::process;
