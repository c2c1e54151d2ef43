//! The program's accounts: their layout and the arithmetic on them. This code calls no other
//! program, and all of it runs on the host too.

pub mod asset;
pub mod empty_subtrees;
pub mod nullifier;
pub mod order;
pub mod pool;
pub mod swap_allowance;
pub mod tree;

/// The first byte of an account.
pub mod discriminator {
    /// The Pool.
    pub const POOL: u8 = 1;
    /// The Tree.
    pub const TREE: u8 = 2;
    /// An Asset.
    pub const ASSET: u8 = 3;
    /// An Order.
    pub const ORDER: u8 = 4;
    /// A Nullifier.
    pub const NULLIFIER: u8 = 5;
}
