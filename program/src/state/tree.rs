//! The Tree: one incremental Merkle tree for the notes of every asset, with four children for each
//! node. It keeps the newest 1,024 leaves with the root after each, for services that read them and
//! for new proofs. It also keeps one root for each hour, for proofs made much later.

use core::cmp::Ordering;

use super::{discriminator, empty_subtrees::EMPTY_SUBTREES};
use crate::{
    bytes::{array_at, put, ref_at, u64_at},
    constants::{CHECKPOINTS, HOUR_SECONDS, RECENT, RESERVED_LEAVES, TREE_LEAVES, TREE_LEVELS},
    error::Error,
};

/// Bytes of the Tree.
pub const TREE_SIZE: usize = 116_000;

const NEXT_INDEX: usize = 8;
const LAST_CHECKPOINT_HOUR: usize = 16;
const LEFT_SIBLINGS: usize = 64;
const RECENT_ENTRIES: usize = 1_312;
const CHECKPOINT_ROOTS: usize = 66_848;

/// The left siblings of a level: three slots.
const LEVEL_BYTES: usize = 3 * 32;

const _: () = assert!(1 << (2 * TREE_LEVELS) == TREE_LEAVES);
const _: () = assert!(LEFT_SIBLINGS + TREE_LEVELS * LEVEL_BYTES == RECENT_ENTRIES);
const _: () = assert!(RECENT_ENTRIES + RECENT * 64 == CHECKPOINT_ROOTS);
const _: () = assert!(CHECKPOINT_ROOTS + CHECKPOINTS * 32 == TREE_SIZE);

/// Names the ring that holds a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// The ring of the newest leaves and roots.
    Recent,
    /// The ring of hourly roots.
    Checkpoint,
}

/// Offset of entry `index` of the recent ring: its leaf, then its root. This function and `checkpoint` shift indexes
/// instead of multiplying them, because a checked multiplication doesn't link on this target.
fn recent_entry(index: usize) -> usize {
    RECENT_ENTRIES + (index << 6)
}

/// Offset of the root after the leaf of recent entry `index`.
fn recent_root(index: usize) -> usize {
    recent_entry(index) + 32
}

/// Offset of checkpoint `index`.
fn checkpoint(index: usize) -> usize {
    CHECKPOINT_ROOTS + (index << 5)
}

/// Turns a zeroed account into the empty Tree. The left siblings need no initial values, because each is written before
/// it is read.
pub fn initialize(data: &mut [u8]) {
    data[0] = discriminator::TREE;
}

/// Refuses data that is not the Tree's.
pub fn check(data: &[u8]) -> Result<(), Error> {
    if data.len() != TREE_SIZE || data[0] != discriminator::TREE {
        return Err(Error::WrongAccountData);
    }
    Ok(())
}

/// Asserts that a deposit may append. The last places are reserved for change notes.
pub fn assert_takes_deposits(data: &[u8]) -> Result<(), Error> {
    if u64_at(data, NEXT_INDEX) >= (TREE_LEAVES - RESERVED_LEAVES) as u64 {
        return Err(Error::TreeFull);
    }
    Ok(())
}

/// True if the tree has no free place.
pub fn is_full(data: &[u8]) -> bool {
    u64_at(data, NEXT_INDEX) >= TREE_LEAVES as u64
}

/// Appends `leaf` at `clock` (seconds) and returns its index and the new root. `hash` is the hash of a
/// node.
pub fn append(
    data: &mut [u8],
    leaf: &[u8; 32],
    clock: u64,
    hash: impl Fn(&[&[u8; 32]; 4]) -> Result<[u8; 32], Error>,
) -> Result<(u64, [u8; 32]), Error> {
    if is_full(data) {
        return Err(Error::TreeFull);
    }
    let leaf_index = u64_at(data, NEXT_INDEX);
    let mut node = *leaf;
    let mut places = leaf_index as usize;
    let mut siblings = LEFT_SIBLINGS;
    // True if `node` has all of its leaves. Later appends need the complete nodes.
    let mut is_finished = true;
    for empty in &EMPTY_SUBTREES {
        let place = places & 3;
        let root = hash(&core::array::from_fn(|child| match child.cmp(&place) {
            Ordering::Less => ref_at(data, siblings + (child << 5)),
            Ordering::Equal => &node,
            Ordering::Greater => empty,
        }))?;
        if is_finished && place < 3 {
            put(data, siblings + (place << 5), &node);
        }
        is_finished &= place == 3;
        node = root;
        places >>= 2;
        siblings += LEVEL_BYTES;
    }
    record(data, leaf, &node, clock);
    Ok((leaf_index, node))
}

/// Increases the number of leaves, and writes the leaf and the root after it into the rings.
fn record(data: &mut [u8], leaf: &[u8; 32], root: &[u8; 32], clock: u64) {
    let leaf_index = u64_at(data, NEXT_INDEX);
    let hour = clock / HOUR_SECONDS as u64;
    let recent = leaf_index as usize % RECENT;
    put(data, NEXT_INDEX, &(leaf_index + 1).to_le_bytes());
    put(data, LAST_CHECKPOINT_HOUR, &hour.to_le_bytes());
    put(data, recent_entry(recent), leaf);
    put(data, recent_root(recent), root);
    put(data, checkpoint(hour as usize % CHECKPOINTS), root);
}

/// The root at `index` of a ring. A slot that was never written never matches.
pub fn root(data: &[u8], kind: RootKind, index: u16) -> Result<[u8; 32], Error> {
    let index = index as usize;
    let (length, at) = match kind {
        RootKind::Recent => (RECENT, recent_root(index)),
        RootKind::Checkpoint => (CHECKPOINTS, checkpoint(index)),
    };
    if index >= length {
        return Err(Error::RootIndexOutOfRange);
    }
    let root = array_at(data, at);
    if root == [0; 32] {
        return Err(Error::RootUnknown);
    }
    Ok(root)
}

#[cfg(test)]
mod tests;
