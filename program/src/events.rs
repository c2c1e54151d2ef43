//! Lines in the transaction's log, for human observers. No code may rely on them, because logs
//! can be truncated (I9).

use crate::syscalls::log_data;

/// `"deposit"`, order id, leaf index, new root.
pub fn deposited(order_id: &[u8; 16], leaf_index: u64, root: &[u8; 32]) {
    log_data(&[b"deposit", order_id, &leaf_index.to_le_bytes(), root]);
}

/// `"settle"`, 1 for a refund and otherwise 0, nullifier, and the lamports or base units paid.
pub fn settled(refund: bool, nullifier: &[u8; 32], paid: u64) {
    log_data(&[b"settle", &[refund as u8], nullifier, &paid.to_le_bytes()]);
}
