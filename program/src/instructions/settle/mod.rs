//! Spends a note, once: pays whom it names or its owner signed for and leaves the rest as a new note,
//! or after its expiry pays all of it back to its sender. Needs a proof and no permission, and nothing
//! pauses it.

mod accounts;
mod data;
mod processor;

pub use processor::process;
