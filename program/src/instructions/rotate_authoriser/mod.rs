//! Sets or unsets one of the two keys that authorise deposits. Two slots, so that a new key can take
//! over while orders signed by the old one still land.

mod accounts;
mod data;
mod processor;

pub use processor::process;
