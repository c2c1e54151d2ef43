//! The message that the authoriser signs.

use super::data::DepositData;
use crate::{constants::TERMS_LABEL, syscalls::sha256};

/// The terms that are not in the instruction's data.
pub struct Parties<'a> {
    pub program_id: &'a [u8; 32],
    pub domain: &'a [u8; 32],
    pub sender: &'a [u8; 32],
    pub source_mint: &'a [u8; 32],
    pub destination_mint: &'a [u8; 32],
    /// The account that gets the partner's share; zero if there is no partner.
    pub partner: &'a [u8; 32],
}

/// The digest of all terms, each with a fixed width. Program and domain bind the digest to one
/// pool on one cluster. I3
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{bytes, bytes32, list, load, number};

    #[test]
    fn terms_have_the_digests_in_the_vectors() {
        for vector in list(&load()["terms"]) {
            let mut data = vec![0];
            data.extend(bytes(&vector["orderId"]));
            for name in ["amountIn", "value", "partnerFee"] {
                data.extend(number(&vector[name]).to_le_bytes());
            }
            for name in ["deadline", "validUntil"] {
                data.extend(number(&vector[name]).to_le_bytes());
            }
            data.extend(bytes(&vector["inner"]));
            data.extend(bytes(&vector["payload"]));
            let parties = Parties {
                program_id: &bytes32(&vector["program"]),
                domain: &bytes32(&vector["domain"]),
                sender: &bytes32(&vector["sender"]),
                source_mint: &bytes32(&vector["sourceMint"]),
                destination_mint: &bytes32(&vector["destinationMint"]),
                partner: &bytes32(&vector["partner"]),
            };
            let data = DepositData::parse(&data).unwrap();
            assert_eq!(digest(&parties, &data), bytes32(&vector["digest"]));
        }
    }
}
