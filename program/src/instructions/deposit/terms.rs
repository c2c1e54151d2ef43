//! What the authoriser signs.

use super::data::DepositData;
use crate::{constants::TERMS_LABEL, syscalls::sha256};

/// The terms that are not in the instruction's data.
pub struct Parties<'a> {
    pub program_id: &'a [u8; 32],
    pub domain: &'a [u8; 32],
    pub sender: &'a [u8; 32],
    pub source_mint: &'a [u8; 32],
    pub destination_mint: &'a [u8; 32],
    /// The account that gets the partner's share; zero without one.
    pub partner: &'a [u8; 32],
}

/// The digest of all terms, each at its fixed width. Program and domain bind it to one pool on one
/// cluster. I3
#[inline(never)]
pub fn digest(parties: &Parties, data: &DepositData) -> [u8; 32] {
    sha256(&[
        TERMS_LABEL,
        parties.program_id,
        parties.domain,
        data.order_id_bytes(),
        parties.sender,
        parties.source_mint,
        parties.destination_mint,
        data.amounts_bytes(),
        parties.partner,
        data.times_and_inner_bytes(),
        &sha256(&[data.payload()]),
    ])
}
