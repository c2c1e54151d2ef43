//! The checks that the instructions use: accounts, authorisation, times, money.

pub mod account;
pub mod authorisation;
pub mod derived;
pub mod mint;
pub mod payee;
pub mod rent;
pub mod solvency;
pub mod stored;
pub mod time;
pub mod token;
