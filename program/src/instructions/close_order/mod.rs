//! Closes Orders a day after their deadline, and returns the rent to their senders. Anyone may call this instruction.

mod processor;

pub use processor::process;
