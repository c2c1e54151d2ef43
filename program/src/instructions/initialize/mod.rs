//! Creates the Pool and adopts the Tree. Only the program's upgrade authority may call it, so that a stranger can't
//! be first and become the admin.

mod accounts;
mod data;
mod processor;

pub use processor::process;
