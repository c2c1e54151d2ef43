//! Brings money of the operator's that swaps may pay out.

mod accounts;
mod processor;

pub use processor::process;
