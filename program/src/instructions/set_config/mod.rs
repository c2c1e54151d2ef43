//! Pauses deposits, sets the longest time to their deadlines, and hands the pool to another admin.

mod accounts;
mod data;
mod processor;

pub use processor::process;
