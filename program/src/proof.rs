//! Verifies a settle proof. The public inputs are built here from typed values. The nullifier and
//! the change's leaf arrive as bytes, so the code checks that they are below the modulus.

use groth16_solana::groth16::Groth16Verifier;

use crate::{
    bytes::array_at,
    error::Error,
    field::{from_u64, halves, is_element},
    vk::{PUBLIC_INPUTS, VK},
};

/// Bytes of a proof: A negated (64), B (128), C (64).
pub const PROOF_SIZE: usize = 256;

/// The statement that a settle proof proves. Amounts are base units, `time` is in seconds.
pub struct Statement<'a> {
    pub root: &'a [u8; 32],
    pub nullifier: &'a [u8; 32],
    pub asset_hash: &'a [u8; 32],
    pub payout: u64,
    pub fee: u64,
    pub payee: &'a [u8; 32],
    pub time: u64,
    pub refund: bool,
    pub change_leaf: &'a [u8; 32],
}

/// Asserts that the proof proves the statement. I2 I3 I5
#[inline(never)]
pub fn assert_proved(statement: &Statement, proof: &[u8; PROOF_SIZE]) -> Result<(), Error> {
    let inputs = public_inputs(statement);
    // `nullifier + modulus` would be a second nullifier of one note. I2
    if !inputs.iter().all(is_element) {
        return Err(Error::NotAFieldElement);
    }
    let (a, b, c) = (array_at(proof, 0), array_at(proof, 64), array_at(proof, 192));
    Groth16Verifier::new(&a, &b, &c, &inputs, &VK)
        .and_then(|mut verifier| verifier.verify())
        .map_err(|_| Error::ProofInvalid)
}

/// The public inputs in the circuit's order.
fn public_inputs(statement: &Statement) -> [[u8; 32]; PUBLIC_INPUTS] {
    let (payee_hi, payee_lo) = halves(statement.payee);
    [
        *statement.root,
        *statement.nullifier,
        *statement.asset_hash,
        from_u64(statement.payout),
        from_u64(statement.fee),
        payee_hi,
        payee_lo,
        from_u64(statement.time),
        from_u64(statement.refund as u64),
        *statement.change_leaf,
    ]
}
