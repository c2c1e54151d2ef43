//! Spends a note, once. Pays the payee that the note names or that its owner signed for, and
//! leaves the rest as a new note. After the note's expiry, refunds all of it to its sender. Needs
//! a proof but no permission, and can't be paused.

mod accounts;
mod data;
mod processor;

pub use processor::process;
