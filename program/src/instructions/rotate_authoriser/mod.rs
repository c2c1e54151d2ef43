//! Sets or unsets one of the two keys that authorise deposits. With two slots, a new key can take
//! over while orders that the old key signed still land.

mod accounts;
mod data;
mod processor;

pub use processor::process;
