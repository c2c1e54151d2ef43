//! Creates the Pool and adopts the Tree. Only the program's upgrade authority may call this
//! instruction. Without this rule, a stranger could call it first and become the admin.

mod accounts;
mod data;
mod processor;

pub use processor::process;
