//! Adds the operator's money that swaps may pay out.

mod accounts;
mod processor;

pub use processor::process;
