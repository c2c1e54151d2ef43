//! Withdraws fees that settlements earned, and never more, so that notes and inventory stay
//! untouched.

mod processor;

pub use processor::process;
