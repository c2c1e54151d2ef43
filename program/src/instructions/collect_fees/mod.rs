//! Withdraws only fees that settlements earned. Notes and inventory stay
//! untouched.

mod processor;

pub use processor::process;
