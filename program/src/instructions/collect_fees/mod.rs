//! Withdraws fees that settlements earned; never more than that, so that notes and inventory stay
//! untouched.

mod processor;

pub use processor::process;
