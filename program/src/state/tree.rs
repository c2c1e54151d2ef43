//! The Tree: one incremental Merkle tree for the notes of every asset. It keeps the newest 1,024 roots
//! for whoever proves now, and one root an hour for whoever has to prove much later.

use super::{discriminator, empty_subtrees::EMPTY_SUBTREES};
use crate::{
    bytes::{array_at, put, u64_at},
    constants::{CHECKPOINTS, HOUR_SECONDS, ROOTS, TREE_DEPTH},
    error::Error,
};

/// Bytes of the Tree.
pub const TREE_SIZE: usize = 66_432;

const NEXT_INDEX: usize = 8;
const LAST_CHECKPOINT_HOUR: usize = 16;
const FILLED: usize = 64;
const RECENT: usize = 896;
const CHECKPOINT: usize = 33_664;

const _: () = assert!(FILLED + TREE_DEPTH * 32 == RECENT);
const _: () = assert!(RECENT + ROOTS * 32 == CHECKPOINT);
const _: () = assert!(CHECKPOINT + CHECKPOINTS * 32 == TREE_SIZE);

/// Which of the two rings a root stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// The ring of the newest roots.
    Recent,
    /// The ring of hourly roots.
    Checkpoint,
}

/// Where the 32-byte slot `index` of the ring or list at `start` lies. Indexes are below 1,024: a
/// shift, since a checked multiplication doesn't link on this target.
fn slot(start: usize, index: usize) -> usize {
    start + (index << 5)
}

/// Makes a zeroed account the empty Tree. The filled subtrees stay zero: each is written before it is
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

/// Appends `leaf` at `clock` (seconds) and returns its index and the new root. `hash` is the hash of a
/// node.
pub fn append(
    data: &mut [u8],
    leaf: &[u8; 32],
    clock: u64,
    hash: impl Fn(&[u8; 32], &[u8; 32]) -> Result<[u8; 32], Error>,
) -> Result<(u64, [u8; 32]), Error> {
    let leaf_index = u64_at(data, NEXT_INDEX);
    if leaf_index >= 1 << TREE_DEPTH {
        return Err(Error::TreeFull);
    }
    let mut node = *leaf;
    for (level, empty) in EMPTY_SUBTREES.iter().enumerate() {
        let filled = slot(FILLED, level);
        node = if (leaf_index >> level) & 1 == 0 {
            put(data, filled, &node);
            hash(&node, empty)?
        } else {
            hash(&array_at(data, filled), &node)?
        };
    }
    let hour = clock / HOUR_SECONDS as u64;
    put(data, NEXT_INDEX, &(leaf_index + 1).to_le_bytes());
    put(data, LAST_CHECKPOINT_HOUR, &hour.to_le_bytes());
    put(data, slot(RECENT, leaf_index as usize % ROOTS), &node);
    put(data, slot(CHECKPOINT, hour as usize % CHECKPOINTS), &node);
    Ok((leaf_index, node))
}

/// The root at `index` of a ring. A slot that was never written never matches.
pub fn root(data: &[u8], kind: RootKind, index: u16) -> Result<[u8; 32], Error> {
    let (start, length) = match kind {
        RootKind::Recent => (RECENT, ROOTS),
        RootKind::Checkpoint => (CHECKPOINT, CHECKPOINTS),
    };
    if index as usize >= length {
        return Err(Error::RootIndexOutOfRange);
    }
    let root = array_at(data, slot(start, index as usize));
    if root == [0; 32] {
        return Err(Error::RootUnknown);
    }
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        poseidon::hash_pair,
        vectors::{bytes32, list, load},
    };

    fn empty() -> Vec<u8> {
        let mut data = vec![0; TREE_SIZE];
        initialize(&mut data);
        data
    }

    fn leaf(n: u8) -> [u8; 32] {
        let mut leaf = [0; 32];
        leaf[31] = n;
        leaf
    }

    /// The root by the definition: hash level after level, with the empty subtree where a pair has no
    /// right-hand side.
    fn root_by_definition(leaves: &[[u8; 32]]) -> [u8; 32] {
        let mut nodes = leaves.to_vec();
        for empty in EMPTY_SUBTREES {
            nodes = nodes
                .chunks(2)
                .map(|pair| hash_pair(&pair[0], pair.get(1).unwrap_or(&empty)).unwrap())
                .collect();
        }
        nodes[0]
    }

    #[test]
    fn every_root_is_the_one_that_the_definition_gives() {
        let mut data = empty();
        let mut leaves = Vec::new();
        for n in 1..=9 {
            leaves.push(leaf(n));
            let (index, root) = append(&mut data, &leaf(n), 7_200, hash_pair).unwrap();
            assert_eq!(index, n as u64 - 1);
            assert_eq!(root, root_by_definition(&leaves));
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
                (_, root) = append(&mut data, &bytes32(leaf), 0, hash_pair).unwrap();
            }
            assert_eq!(root, bytes32(&vector["root"]));
        }
    }

    #[test]
    fn a_root_stands_at_its_leaf_and_the_last_of_an_hour_at_its_hour() {
        let mut data = empty();
        let (_, first) = append(&mut data, &leaf(1), 3_600 * 1_025, hash_pair).unwrap();
        let (_, second) = append(&mut data, &leaf(2), 3_600 * 1_026 - 1, hash_pair).unwrap();
        assert_eq!(root(&data, RootKind::Recent, 0), Ok(first));
        assert_eq!(root(&data, RootKind::Recent, 1), Ok(second));
        assert_eq!(root(&data, RootKind::Checkpoint, 1), Ok(second));
        assert_eq!(u64_at(&data, LAST_CHECKPOINT_HOUR), 1_025);
    }

    #[test]
    fn an_unwritten_root_never_matches_and_an_index_stays_in_its_ring() {
        let data = empty();
        assert_eq!(root(&data, RootKind::Recent, 0), Err(Error::RootUnknown));
        assert_eq!(root(&data, RootKind::Recent, 1_023), Err(Error::RootUnknown));
        assert_eq!(root(&data, RootKind::Recent, 1_024), Err(Error::RootIndexOutOfRange));
        assert_eq!(root(&data, RootKind::Checkpoint, 1_024), Err(Error::RootIndexOutOfRange));
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let mut data = empty();
        put(&mut data, NEXT_INDEX, &((1u64 << TREE_DEPTH) - 1).to_le_bytes());
        assert!(append(&mut data, &leaf(1), 0, hash_pair).is_ok());
        assert_eq!(append(&mut data, &leaf(1), 0, hash_pair), Err(Error::TreeFull));
    }
}
