//! The hashes of the note and the tree, as `docs/protocol.md` defines them. A leaf has six inputs and a
//! node two, so that neither can pass for the other.

use crate::{
    error::Error,
    field::{from_u64, halves},
    syscalls::poseidon,
};

/// A node of the tree.
pub fn hash_pair(left: &[u8; 32], right: &[u8; 32]) -> Result<[u8; 32], Error> {
    poseidon(&[left, right]).ok_or(Error::HashFailed)
}

/// `assetHash` of a mint, or `senderHash` of a wallet: the hash of an address' halves.
pub fn hash_address(address: &[u8; 32]) -> Result<[u8; 32], Error> {
    let (hi, lo) = halves(address);
    hash_pair(&hi, &lo)
}

/// What a leaf commits to. Amounts are base units, `expiry` is in seconds.
pub struct Note<'a> {
    pub asset_hash: &'a [u8; 32],
    pub amount_out: u64,
    pub fee_back: u64,
    pub expiry: u64,
    pub sender_hash: &'a [u8; 32],
    pub inner: &'a [u8; 32],
}

/// The leaf of a note.
pub fn hash_leaf(note: &Note) -> Result<[u8; 32], Error> {
    poseidon(&[
        note.asset_hash,
        &from_u64(note.amount_out),
        &from_u64(note.fee_back),
        &from_u64(note.expiry),
        note.sender_hash,
        note.inner,
    ])
    .ok_or(Error::HashFailed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{bytes32, list, load, number};

    #[test]
    fn addresses_hash_as_the_vectors_say() {
        for vector in list(&load()["addressHashes"]) {
            let hash = hash_address(&bytes32(&vector["address"]));
            assert_eq!(hash, Ok(bytes32(&vector["hash"])));
        }
    }

    #[test]
    fn leaves_hash_as_the_vectors_say() {
        for vector in list(&load()["leaves"]) {
            let leaf = hash_leaf(&Note {
                asset_hash: &hash_address(&bytes32(&vector["mint"])).unwrap(),
                amount_out: number(&vector["amountOut"]),
                fee_back: number(&vector["feeBack"]),
                expiry: number(&vector["expiry"]),
                sender_hash: &hash_address(&bytes32(&vector["sender"])).unwrap(),
                inner: &bytes32(&vector["inner"]),
            });
            assert_eq!(leaf, Ok(bytes32(&vector["leaf"])));
        }
    }

    #[test]
    fn what_is_no_field_element_has_no_hash() {
        let beyond = crate::field::MODULUS;
        assert_eq!(hash_pair(&beyond, &[0; 32]), Err(Error::HashFailed));
    }
}
