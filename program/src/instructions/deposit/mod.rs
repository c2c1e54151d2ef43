//! The only instruction that a sender signs. It takes amountIn, pays the partner's share, and
//! appends the note to the tree. An authoriser of the pool has signed every term of the deposit.

mod accounts;
mod booking;
mod data;
mod processor;
mod terms;

pub use processor::process;
