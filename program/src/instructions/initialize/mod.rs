//! Creates the Pool and adopts the Tree. Only the program's upgrade authority may, so that nobody can
//! be first and make themselves the admin.

mod accounts;
mod data;
mod processor;

pub use processor::process;
