//! Pauses an asset's deposits, and sets its greatest deposit and the amount that swaps may pay out in a period.

mod accounts;
mod data;
mod processor;

pub use processor::process;
