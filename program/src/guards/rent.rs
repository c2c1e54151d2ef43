//! The chain's rent, read from its sysvar. Older clusters store a price per year and a number of years (3,480 and
//! 2.0). Newer clusters store the whole price and 1.0. Confusing the two forms would halve or double every rent
//! minimum.

use pinocchio::{
    error::ProgramError,
    sysvars::{get_sysvar, rent::RENT_ID},
};

use crate::{
    bytes::{array_at, u64_at},
    error::Error,
};

/// The bytes of the sysvar that are read: price u64, years f64.
const SIZE: usize = 16;

/// Bytes that every account pays for in addition to its data.
const ACCOUNT_OVERHEAD: u64 = 128;

/// A limit above the size of the largest account (10 MiB). Sizes below this limit can't overflow the product.
const SIZE_LIMIT: u64 = 1 << 24;

/// Prices from this limit on are refused. It is more than a thousand times today's price.
const PRICE_LIMIT: u64 = 1 << 23;

/// The lamports with which an account of `size` bytes is rent-exempt; at least one. If a cluster took no rent, an account
/// without lamports would vanish at the end of its transaction. A note whose Nullifier vanishes could be settled again.
/// I2 I4
pub fn rent_minimum(size: usize) -> Result<u64, ProgramError> {
    let mut sysvar = [0; SIZE];
    get_sysvar(&mut sysvar, &RENT_ID, 0)?;
    Ok(minimum(&sysvar, size as u64)?)
}

/// The minimum from the sysvar's bytes. The years are compared as bytes, because the VM has no floats.
fn minimum(sysvar: &[u8; SIZE], size: u64) -> Result<u64, Error> {
    let price = u64_at(sysvar, 0);
    let shift = match array_at(sysvar, 8) {
        years if years == 1f64.to_le_bytes() => 0,
        years if years == 2f64.to_le_bytes() => 1,
        _ => return Err(Error::RentUnsupported),
    };
    if price >= PRICE_LIMIT || size >= SIZE_LIMIT {
        return Err(Error::RentUnsupported);
    }
    // The product is below 2^49, so it can't wrap; a checked multiplication doesn't link on this target.
    Ok(((ACCOUNT_OVERHEAD + size).wrapping_mul(price) << shift).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sysvar(price: u64, years: f64) -> [u8; SIZE] {
        [price.to_le_bytes(), years.to_le_bytes()].concat().try_into().unwrap()
    }

    #[test]
    fn both_forms_of_the_sysvar_give_the_same_minimum() {
        assert_eq!(minimum(&sysvar(6_960, 1.0), 0), Ok(890_880));
        assert_eq!(minimum(&sysvar(3_480, 2.0), 0), Ok(890_880));
        assert_eq!(minimum(&sysvar(3_480, 2.0), 165), Ok(2_039_280));
    }

    #[test]
    fn the_minimum_is_never_zero() {
        assert_eq!(minimum(&sysvar(0, 1.0), 0), Ok(1));
        assert_eq!(minimum(&sysvar(0, 2.0), 165), Ok(1));
    }

    #[test]
    fn any_other_form_of_the_sysvar_is_refused() {
        assert_eq!(minimum(&sysvar(6_960, 1.5), 0), Err(Error::RentUnsupported));
        assert_eq!(minimum(&sysvar(PRICE_LIMIT, 1.0), 0), Err(Error::RentUnsupported));
        assert_eq!(minimum(&sysvar(6_960, 1.0), SIZE_LIMIT), Err(Error::RentUnsupported));
    }
}
