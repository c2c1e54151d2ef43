//! Withdraws inventory, at most all of it. Notes and fees stay untouched.

mod processor;

pub use processor::process;
