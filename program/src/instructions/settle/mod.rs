//! Pays a note out, once: to its recipient, or after its expiry back to its sender. Needs a proof and
//! nobody's permission, and nothing pauses it.

mod accounts;
mod data;
mod processor;

pub use processor::process;
