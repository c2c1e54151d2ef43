//! The input of an instruction.

use pinocchio::{AccountView, Address};

/// The program's own address, the accounts and the data after the tag. One value, because a function
/// on this target takes five arguments at most.
pub struct Input<'a> {
    pub program_id: &'a Address,
    pub accounts: &'a mut [AccountView],
    pub data: &'a [u8],
}
