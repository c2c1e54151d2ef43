//! Pauses an asset's deposits, sets its greatest deposit and what swaps may pay out in a period.

mod accounts;
mod data;
mod processor;

pub use processor::process;
