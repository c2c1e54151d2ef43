//! The hashes that the program computes, as `docs/protocol.md` defines them. A leaf is the only
//! hash of five inputs. Every appended leaf is computed here or in the circuit. So no other hash
//! can be taken for a note.

use crate::{
    error::Error,
    field::{from_u64, halves},
    syscalls::poseidon,
};

/// A node of the tree over its four children.
pub fn hash_node(children: &[&[u8; 32]; 4]) -> Result<[u8; 32], Error> {
    let [first, second, third, fourth] = *children;
    poseidon(&[first, second, third, fourth]).ok_or(Error::HashFailed)
}

/// `assetHash`: the pool's domain and a mint.
pub fn hash_asset(domain: &[u8; 32], mint: &[u8; 32]) -> Result<[u8; 32], Error> {
    let (hi, lo) = halves(mint);
    poseidon(&[domain, &hi, &lo]).ok_or(Error::HashFailed)
}

/// `senderHash`: a wallet.
pub fn hash_sender(sender: &[u8; 32]) -> Result<[u8; 32], Error> {
    let (hi, lo) = halves(sender);
    poseidon(&[&hi, &lo]).ok_or(Error::HashFailed)
}

/// The values that a leaf commits to. `value` is in base units of the asset, `deadline` in
/// seconds. All other facts about the note are hidden in `inner`.
pub struct Note<'a> {
    pub asset_hash: &'a [u8; 32],
    pub value: u64,
    pub deadline: u64,
    pub sender_hash: &'a [u8; 32],
    pub inner: &'a [u8; 32],
}

/// The leaf of a note.
pub fn hash_leaf(note: &Note) -> Result<[u8; 32], Error> {
    poseidon(&[
        note.asset_hash,
        &from_u64(note.value),
        &from_u64(note.deadline),
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
    fn senders_and_assets_have_the_hashes_in_the_vectors() {
        for vector in list(&load()["senderHashes"]) {
            let hash = hash_sender(&bytes32(&vector["address"]));
            assert_eq!(hash, Ok(bytes32(&vector["hash"])));
        }
        for vector in list(&load()["assetHashes"]) {
            let hash = hash_asset(&bytes32(&vector["domain"]), &bytes32(&vector["mint"]));
            assert_eq!(hash, Ok(bytes32(&vector["hash"])));
        }
    }

    #[test]
    fn leaves_have_the_hashes_in_the_vectors() {
        for vector in list(&load()["notes"]) {
            let (domain, mint) = (bytes32(&vector["domain"]), bytes32(&vector["mint"]));
            let leaf = hash_leaf(&Note {
                asset_hash: &hash_asset(&domain, &mint).unwrap(),
                value: number(&vector["value"]),
                deadline: number(&vector["deadline"]),
                sender_hash: &hash_sender(&bytes32(&vector["sender"])).unwrap(),
                inner: &bytes32(&vector["inner"]),
            });
            assert_eq!(leaf, Ok(bytes32(&vector["leaf"])));
        }
    }

    #[test]
    fn a_value_that_is_not_a_field_element_has_no_hash() {
        let beyond = crate::field::MODULUS;
        assert_eq!(hash_node(&[&[0; 32], &[0; 32], &[0; 32], &beyond]), Err(Error::HashFailed));
        assert_eq!(hash_asset(&beyond, &[0; 32]), Err(Error::HashFailed));
    }
}
