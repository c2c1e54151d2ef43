//! Closes Nullifiers whose notes can no longer be settled, and returns the rent to its payer.
//! Anyone may call this instruction.

mod processor;

pub use processor::process;
