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

/// A faster hash than Poseidon. The shape of the tree doesn't depend on the hash.
fn quick_hash(children: &[&[u8; 32]; 4]) -> Result<[u8; 32], Error> {
    Ok(sha256(&[children[0], children[1], children[2], children[3]]))
}

/// The nodes of each level by the definition, from the leaves to the root. Each level is hashed
/// from the level below it. An empty subtree replaces each missing child of a group of four.
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
fn every_root_equals_the_root_by_the_definition() {
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
fn roots_are_right_before_and_after_a_subtree_becomes_full() {
    let mut data = empty();
    let mut leaves = Vec::new();
    for n in 0..4_100_usize {
        leaves.push(quick_hash(&[&leaf(n as u8); 4]).unwrap());
        let (_, root) = append(&mut data, leaves.last().unwrap(), 0, quick_hash).unwrap();
        let count = leaves.len();
        if [63, 64, 65, 255, 256, 257, 1_023, 1_024, 1_025, 1_300, 4_096, 4_097].contains(&count) {
            assert_eq!(root, levels_by_definition(&leaves, quick_hash)[TREE_LEVELS][0]);
            assert_eq!(super::root(&data, RootKind::Recent, (n % 1_024) as u16), Ok(root));
        }
    }
}

#[test]
fn the_left_siblings_are_the_complete_children_of_each_incomplete_node() {
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
fn roots_equal_the_roots_in_the_vectors() {
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
fn a_leaf_and_its_root_are_stored_by_index_and_the_last_root_of_an_hour_by_hour() {
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
fn the_recent_ring_wraps_around_without_writing_outside_the_ring() {
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
fn an_unwritten_root_and_an_index_outside_its_ring_are_refused() {
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
fn the_last_places_accept_no_deposits() {
    let last = (TREE_LEAVES - RESERVED_LEAVES) as u64 - 1;
    assert_eq!(assert_takes_deposits(&with_leaves(last)), Ok(()));
    assert_eq!(assert_takes_deposits(&with_leaves(last + 1)), Err(Error::TreeFull));
}

#[test]
fn a_full_tree_accepts_no_leaf() {
    let mut data = with_leaves(TREE_LEAVES as u64 - 1);
    assert!(!is_full(&data));
    assert!(append(&mut data, &leaf(1), 0, hash_node).is_ok());
    assert!(is_full(&data));
    assert_eq!(append(&mut data, &leaf(1), 0, hash_node), Err(Error::TreeFull));
}
