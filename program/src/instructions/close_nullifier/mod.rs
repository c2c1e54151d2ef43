//! Closes Nullifiers whose notes can't be settled any more, the rent back to whoever paid it. Anyone
//! may.

mod processor;

pub use processor::process;
