//! Withdraws only fees that settlements earned, so that notes and inventory stay
//! untouched.

mod processor;

pub use processor::process;
