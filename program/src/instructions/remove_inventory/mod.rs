//! Withdraws inventory, at most all of it, so that notes and fees stay untouched.

mod processor;

pub use processor::process;
