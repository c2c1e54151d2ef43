//! The input of an instruction.

use pinocchio::{AccountView, Address};

/// The program's own address, the accounts, and the data after the tag. They are one value,
/// because a function on this target takes at most five arguments.
pub struct Input<'a> {
    pub program_id: &'a Address,
    pub accounts: &'a mut [AccountView],
    pub data: &'a [u8],
}
