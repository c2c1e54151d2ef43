//! Roots of empty subtrees: level 0 is the empty leaf, and level n + 1 is Poseidon(z, z) of level n.
//! A test recomputes them.

use crate::{constants::TREE_DEPTH, field::from_hex};

/// The empty subtree of each level.
pub const EMPTY_SUBTREES: [[u8; 32]; TREE_DEPTH] = [
    from_hex("0000000000000000000000000000000000000000000000000000000000000000"),
    from_hex("2098f5fb9e239eab3ceac3f27b81e481dc3124d55ffed523a839ee8446b64864"),
    from_hex("1069673dcdb12263df301a6ff584a7ec261a44cb9dc68df067a4774460b1f1e1"),
    from_hex("18f43331537ee2af2e3d758d50f72106467c6eea50371dd528d57eb2b856d238"),
    from_hex("07f9d837cb17b0d36320ffe93ba52345f1b728571a568265caac97559dbc952a"),
    from_hex("2b94cf5e8746b3f5c9631f4c5df32907a699c58c94b2ad4d7b5cec1639183f55"),
    from_hex("2dee93c5a666459646ea7d22cca9e1bcfed71e6951b953611d11dda32ea09d78"),
    from_hex("078295e5a22b84e982cf601eb639597b8b0515a88cb5ac7fa8a4aabe3c87349d"),
    from_hex("2fa5e5f18f6027a6501bec864564472a616b2e274a41211a444cbe3a99f3cc61"),
    from_hex("0e884376d0d8fd21ecb780389e941f66e45e7acce3e228ab3e2156a614fcd747"),
    from_hex("1b7201da72494f1e28717ad1a52eb469f95892f957713533de6175e5da190af2"),
    from_hex("1f8d8822725e36385200c0b201249819a6e6e1e4650808b5bebc6bface7d7636"),
    from_hex("2c5d82f66c914bafb9701589ba8cfcfb6162b0a12acf88a8d0879a0471b5f85a"),
    from_hex("14c54148a0940bb820957f5adf3fa1134ef5c4aaa113f4646458f270e0bfbfd0"),
    from_hex("190d33b12f986f961e10c0ee44d8b9af11be25588cad89d416118e4bf4ebe80c"),
    from_hex("22f98aa9ce704152ac17354914ad73ed1167ae6596af510aa5b3649325e06c92"),
    from_hex("2a7c7c9b6ce5880b9f6f228d72bf6a575a526f29c66ecceef8b753d38bba7323"),
    from_hex("2e8186e558698ec1c67af9c14d463ffc470043c9c2988b954d75dd643f36b992"),
    from_hex("0f57c5571e9a4eab49e2c8cf050dae948aef6ead647392273546249d1c1ff10f"),
    from_hex("1830ee67b5fb554ad5f63d4388800e1cfe78e310697d46e43c9ce36134f72cca"),
    from_hex("2134e76ac5d21aab186c2be1dd8f84ee880a1e46eaf712f9d371b6df22191f3e"),
    from_hex("19df90ec844ebc4ffeebd866f33859b0c051d8c958ee3aa88f8f8df3db91a5b1"),
    from_hex("18cca2a66b5c0787981e69aefd84852d74af0e93ef4912b4648c05f722efe52b"),
    from_hex("2388909415230d1b4d1304d2d54f473a628338f2efad83fadf05644549d2538d"),
    from_hex("27171fb4a97b6cc0e9e8f543b5294de866a2af2c9c8d0b1d96e673e4529ed540"),
    from_hex("2ff6650540f629fd5711a0bc74fc0d28dcb230b9392583e5f8d59696dde6ae21"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poseidon::hash_pair;

    #[test]
    fn each_empty_subtree_is_the_hash_of_two_of_the_level_below() {
        assert_eq!(EMPTY_SUBTREES[0], [0; 32]);
        for level in 1..TREE_DEPTH {
            let below = EMPTY_SUBTREES[level - 1];
            assert_eq!(EMPTY_SUBTREES[level], hash_pair(&below, &below).unwrap());
        }
    }
}
