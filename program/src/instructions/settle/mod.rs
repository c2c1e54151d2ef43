//! Spends a note, once. Pays the payee whom the note names or the note's owner signed for, and
//! leaves the rest as a new note. After the note's expiry, refunds the whole note to its sender.
//! Needs a proof but no permission, and can't be paused.

mod accounts;
mod data;
mod processor;

pub use processor::process;
