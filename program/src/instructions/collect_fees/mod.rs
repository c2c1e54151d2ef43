//! Takes earned fees out, from the second day after they were booked; never more than that, so that
//! notes and inventory stay untouched.

mod processor;

pub use processor::process;
