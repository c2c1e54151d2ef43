//! Closes Nullifiers whose notes can no longer be settled and returns the rent to its payer. Anyone may call
//! it.

mod processor;

pub use processor::process;
