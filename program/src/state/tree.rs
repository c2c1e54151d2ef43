//! The Tree: one incremental Merkle tree for the notes of every asset, four children a node. It keeps
//! the newest 1,024 leaves with the root after each, for followers and for proofs made now, and one root an hour for
//! proofs made much later.

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

/// Which of the two rings holds a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// The ring of the newest leaves and roots.
    Recent,
    /// The ring of hourly roots.
    Checkpoint,
}

/// Offset of entry `index` of the recent ring: its leaf, then its root. Here and below, indexes are shifted, since a
/// checked multiplication doesn't link on this target.
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

/// Makes a zeroed account the empty Tree. The left siblings stay zero: each is written before it is
/// read.
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

/// A deposit may append: the last places are reserved for change notes.
pub fn assert_takes_deposits(data: &[u8]) -> Result<(), Error> {
    if u64_at(data, NEXT_INDEX) >= (TREE_LEAVES - RESERVED_LEAVES) as u64 {
        return Err(Error::TreeFull);
    }
    Ok(())
}

/// Whether every place is taken.
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
    // Whether `node` has all of its leaves; if so, later appends need it unchanged.
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

/// Counts the leaf, and writes it and the root after it into the rings.
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
mod tests {
    use super::*;
    use crate::{
        poseidon::hash_node,
        syscalls::sha256,
        vectors::{bytes32, list, load},
    };

    fn empty() -> Vec<u8> {
        let mut data = vec![0; TREE_SIZE];
        initialize(&mut data);
        data
    }

    fn with_leaves(count: u64) -> Vec<u8> {
        let mut data = empty();
        put(&mut data, NEXT_INDEX, &count.to_le_bytes());
        data
    }

    fn leaf(n: u8) -> [u8; 32] {
        let mut leaf = [0; 32];
        leaf[31] = n;
        leaf
    }

    type Hash = fn(&[&[u8; 32]; 4]) -> Result<[u8; 32], Error>;

    /// A faster hash than Poseidon: the tree's shape doesn't depend on the hash.
    fn quick_hash(children: &[&[u8; 32]; 4]) -> Result<[u8; 32], Error> {
        Ok(sha256(&[children[0], children[1], children[2], children[3]]))
    }

    /// The nodes of each level by the definition, from the leaves to the root: hash level after level,
    /// with the empty subtree for each missing child of a group of four.
    fn levels_by_definition(leaves: &[[u8; 32]], hash: Hash) -> Vec<Vec<[u8; 32]>> {
        let mut levels = vec![leaves.to_vec()];
        for empty in &EMPTY_SUBTREES {
            let nodes = levels.last().unwrap().chunks(4).map(|group| {
                let children = core::array::from_fn(|child| group.get(child).unwrap_or(empty));
                hash(&children).unwrap()
            });
            let nodes = nodes.collect();
            levels.push(nodes);
        }
        levels
    }

    #[test]
    fn every_root_is_the_one_that_the_definition_gives() {
        let mut data = empty();
        let mut leaves = Vec::new();
        for n in 1..=22 {
            leaves.push(leaf(n));
            let (index, root) = append(&mut data, &leaf(n), 7_200, hash_node).unwrap();
            assert_eq!(index, n as u64 - 1);
            assert_eq!(root, levels_by_definition(&leaves, hash_node)[TREE_LEVELS][0]);
        }
    }

    #[test]
    fn roots_are_right_on_both_sides_of_every_subtree_that_fills_up() {
        let mut data = empty();
        let mut leaves = Vec::new();
        for n in 0..4_100_usize {
            leaves.push(quick_hash(&[&leaf(n as u8); 4]).unwrap());
            let (_, root) = append(&mut data, leaves.last().unwrap(), 0, quick_hash).unwrap();
            let count = leaves.len();
            if [63, 64, 65, 255, 256, 257, 1_023, 1_024, 1_025, 1_300, 4_096, 4_097]
                .contains(&count)
            {
                assert_eq!(root, levels_by_definition(&leaves, quick_hash)[TREE_LEVELS][0]);
                assert_eq!(super::root(&data, RootKind::Recent, (n % 1_024) as u16), Ok(root));
            }
        }
    }

    #[test]
    fn the_left_siblings_are_the_finished_children_to_the_left_of_the_open_node() {
        let mut data = empty();
        let leaves: Vec<_> = (1..=227).map(leaf).collect();
        for leaf in &leaves {
            append(&mut data, leaf, 0, quick_hash).unwrap();
        }
        let levels = levels_by_definition(&leaves, quick_hash);
        for (level, nodes) in levels[..TREE_LEVELS].iter().enumerate() {
            let finished = leaves.len() >> (2 * level);
            let open = finished & !3;
            for (slot, node) in nodes[open..finished].iter().enumerate() {
                let at = LEFT_SIBLINGS + level * LEVEL_BYTES + slot * 32;
                assert_eq!(&array_at::<32>(&data, at), node, "level {level}, slot {slot}");
            }
        }
    }

    #[test]
    fn roots_are_the_ones_of_the_vectors() {
        let vectors = load();
        let leaves = list(&vectors["tree"]["leaves"]);
        for vector in list(&vectors["tree"]["roots"]) {
            let mut data = empty();
            let mut root = [0; 32];
            for leaf in &leaves[..vector["count"].as_u64().unwrap() as usize] {
                (_, root) = append(&mut data, &bytes32(leaf), 0, hash_node).unwrap();
            }
            assert_eq!(root, bytes32(&vector["root"]));
        }
    }

    #[test]
    fn leaf_and_root_stand_at_their_index_and_the_last_root_of_an_hour_at_its_hour() {
        let mut data = empty();
        let (_, first) = append(&mut data, &leaf(1), 3_600 * 1_537, hash_node).unwrap();
        let (_, second) = append(&mut data, &leaf(2), 3_600 * 1_538 - 1, hash_node).unwrap();
        assert_eq!(root(&data, RootKind::Recent, 0), Ok(first));
        assert_eq!(root(&data, RootKind::Recent, 1), Ok(second));
        assert_eq!(array_at(&data, recent_entry(1)), leaf(2));
        assert_eq!(root(&data, RootKind::Checkpoint, 1), Ok(second));
        assert_eq!(u64_at(&data, LAST_CHECKPOINT_HOUR), 1_537);
    }

    #[test]
    fn the_recent_ring_wraps_and_leaves_its_neighbours_alone() {
        let mut data = with_leaves(1_023);
        let fixed = |_: &[&[u8; 32]; 4]| Ok([7; 32]);
        append(&mut data, &leaf(1), 3_600 * 1_535, fixed).unwrap();
        append(&mut data, &leaf(2), 3_600 * 1_535, fixed).unwrap();
        assert_eq!(array_at(&data, recent_entry(1_023)), leaf(1));
        assert_eq!(array_at(&data, recent_entry(0)), leaf(2));
        assert_eq!(array_at::<32>(&data, CHECKPOINT_ROOTS), [0; 32]);
        assert_eq!(root(&data, RootKind::Checkpoint, 1_535), Ok([7; 32]));
    }

    #[test]
    fn an_unwritten_root_never_matches_and_an_index_stays_in_its_ring() {
        let data = empty();
        assert_eq!(root(&data, RootKind::Recent, 0), Err(Error::RootUnknown));
        assert_eq!(root(&data, RootKind::Recent, 1_023), Err(Error::RootUnknown));
        assert_eq!(root(&data, RootKind::Checkpoint, 1_535), Err(Error::RootUnknown));
        for index in [1_024, u16::MAX] {
            assert_eq!(root(&data, RootKind::Recent, index), Err(Error::RootIndexOutOfRange));
        }
        for index in [1_536, u16::MAX] {
            assert_eq!(root(&data, RootKind::Checkpoint, index), Err(Error::RootIndexOutOfRange));
        }
    }

    #[test]
    fn the_last_places_take_no_deposits() {
        let last = (TREE_LEAVES - RESERVED_LEAVES) as u64 - 1;
        assert_eq!(assert_takes_deposits(&with_leaves(last)), Ok(()));
        assert_eq!(assert_takes_deposits(&with_leaves(last + 1)), Err(Error::TreeFull));
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let mut data = with_leaves(TREE_LEAVES as u64 - 1);
        assert!(!is_full(&data));
        assert!(append(&mut data, &leaf(1), 0, hash_node).is_ok());
        assert!(is_full(&data));
        assert_eq!(append(&mut data, &leaf(1), 0, hash_node), Err(Error::TreeFull));
    }
}
