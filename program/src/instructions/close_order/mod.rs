//! Closes Orders a day after their deadline, the rent back to their senders. Anyone may.

mod processor;

pub use processor::process;
