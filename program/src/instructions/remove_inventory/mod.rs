//! Withdraws inventory, and never more than there is, so that notes and fees stay untouched.

mod processor;

pub use processor::process;
