//! Pauses deposits, sets the limits of their times, hands the pool to another admin.

mod accounts;
mod data;
mod processor;

pub use processor::process;
