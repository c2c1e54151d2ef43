//! Roots of empty subtrees. Level 0 is the empty leaf. If z is level n, level n + 1 is Poseidon(z,
//! z, z, z). A test computes them again.

use crate::{constants::TREE_LEVELS, field::from_hex};

/// The empty subtree of each level.
pub const EMPTY_SUBTREES: [[u8; 32]; TREE_LEVELS] = [
    from_hex("0000000000000000000000000000000000000000000000000000000000000000"),
    from_hex("0532fd436e19c70e51209694d9c215250937921b8b79060488c1206db73e9946"),
    from_hex("1ea8dbbca1ca3a574b1b871aad1e8bc47571c7e11a99a6fb25f3f19d4bfad32c"),
    from_hex("1b98ec5a992cd3688e655aef8674386f4e84f0a442eaab4840427e359c214dd2"),
    from_hex("0fd83a3939005974d559c13c652a31942ffd61cab9a038e04239af96cafaee14"),
    from_hex("11eb54967ae25ce42205223461cda9dbb1a1811db38b71e404d1fd94c9627777"),
    from_hex("1c682a99981cf10a215d2788721e0ca060ddc0932cbb04c903eee3bd899dcfc0"),
    from_hex("2b3de1ae8e72d64a5cb03934061e3fd03789273f370e32d576ae54b4cbeca719"),
    from_hex("1b64ed0dc55f80f1f3da256b451baf16110fc268311a13fe903f87945b734861"),
    from_hex("06efb4c4a55b0225fd1088d357b2432f422b0593015c57980e373ecef9029c72"),
    from_hex("262138dff44f5352d2d7ec48461c771444a6c00c761a3263735d0a99143a51f1"),
    from_hex("07ea118d86ace14a8eaa26fc18b36fefe7d5f5b00e0eb9ebfd1c88f37131c178"),
    from_hex("0c2a4af81a2cd78159ce2f3d7ee05367fc5b3c3e1becea2a86d1e66dd27ffb7f"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poseidon::hash_node;

    #[test]
    fn each_empty_subtree_is_the_hash_of_four_smaller_empty_subtrees() {
        assert_eq!(EMPTY_SUBTREES[0], [0; 32]);
        for level in 1..TREE_LEVELS {
            let below = &EMPTY_SUBTREES[level - 1];
            assert_eq!(EMPTY_SUBTREES[level], hash_node(&[below; 4]).unwrap());
        }
    }
}
