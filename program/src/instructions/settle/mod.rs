//! Spends a note, once: pays the payee that it names or its owner signed for and leaves the rest as a new
//! note, or after its expiry refunds all of it to its sender. Needs a proof and no permission, and can't be
//! paused.

mod accounts;
mod data;
mod processor;

pub use processor::process;
