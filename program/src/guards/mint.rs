//! Decides which mints the pool takes. It takes mints of the SPL Token program, and Token-2022 mints whose extensions
//! can't affect money. `add_asset` checks a mint only once, because an accepted mint stays harmless. Only metadata can
//! be added to such a mint later. Every other extension that can be added later needs a pointer to a group or a member,
//! and the pool refuses mints with these pointers. No one can close the mint, because a close authority is refused too.

use pinocchio::{AccountView, error::ProgramError};

use super::token::TOKEN_ACCOUNT_SIZE;
use crate::{
    bytes::u16_at,
    constants::{NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM},
    error::Error,
    state::asset::Kind,
    syscalls::is_zeroed,
};

/// Bytes of a multisig. Both token programs recognise a multisig by this length alone.
pub const MULTISIG_SIZE: usize = 355;

/// Bytes of a mint, and of the part of a Token-2022 mint before its extensions.
const MINT_SIZE: usize = 82;

/// The byte that Token-2022 writes after `TOKEN_ACCOUNT_SIZE` bytes in a mint with extensions.
const IS_MINT: u8 = 1;

/// The offset of the extensions: type u16, length u16, value.
const EXTENSIONS_AT: usize = TOKEN_ACCOUNT_SIZE + 1;

const METADATA_POINTER: u16 = 18;
const METADATA_POINTER_SIZE: usize = 64;
const TOKEN_METADATA: u16 = 19;

/// The parts of a mint that the pool needs.
pub struct Mint {
    pub kind: Kind,
    pub decimals: u8,
}

/// Reads a mint. Refuses other accounts, uninitialised mints, and mints that the pool doesn't take.
pub fn read_mint(account: &AccountView) -> Result<Mint, ProgramError> {
    let is_2022 = account.owned_by(&TOKEN_2022_PROGRAM);
    if !is_2022 && !account.owned_by(&TOKEN_PROGRAM) {
        return Err(Error::InvalidMint.into());
    }
    let data = account.try_borrow()?;
    if data.len() < MINT_SIZE || data[45] != 1 || (!is_2022 && data.len() != MINT_SIZE) {
        return Err(Error::InvalidMint.into());
    }
    if is_2022 {
        assert_harmless(&data)?;
    }
    let kind = match is_2022 {
        true => Kind::Token2022,
        false if account.address() == &NATIVE_MINT => Kind::Native,
        false => Kind::Token,
    };
    Ok(Mint { kind, decimals: data[44] })
}

/// Asserts that a Token-2022 mint has no extensions except a metadata pointer and metadata. Unknown types are refused,
/// so that a future extension can't be accepted by mistake. The loop ends after at most three iterations, because no
/// type may occur twice.
fn assert_harmless(data: &[u8]) -> Result<(), Error> {
    if data.len() == MINT_SIZE {
        return Ok(());
    }
    let is_mint = data.len() > TOKEN_ACCOUNT_SIZE
        && data.len() != MULTISIG_SIZE
        && data[TOKEN_ACCOUNT_SIZE] == IS_MINT
        && is_zeroed(&data[MINT_SIZE..TOKEN_ACCOUNT_SIZE]);
    if !is_mint {
        return Err(Error::InvalidMint);
    }
    let (mut has_pointer, mut has_metadata) = (false, false);
    let mut rest = &data[EXTENSIONS_AT..];
    while !is_zeroed(rest) {
        if rest.len() < 4 {
            return Err(Error::MintExtensionsMalformed);
        }
        let size = u16_at(rest, 2) as usize;
        let is_fresh = match u16_at(rest, 0) {
            METADATA_POINTER if size == METADATA_POINTER_SIZE => !replace(&mut has_pointer),
            TOKEN_METADATA => !replace(&mut has_metadata),
            METADATA_POINTER | 0 => false,
            _ => return Err(Error::Token2022Unsupported),
        };
        rest = rest[4..].get(size..).ok_or(Error::MintExtensionsMalformed)?;
        if !is_fresh {
            return Err(Error::MintExtensionsMalformed);
        }
    }
    Ok(())
}

/// Sets a flag; returns whether it was set before.
fn replace(flag: &mut bool) -> bool {
    core::mem::replace(flag, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mint with these extensions: type, length as written, bytes that follow.
    fn mint(extensions: &[(u16, u16, usize)]) -> Vec<u8> {
        let mut data = vec![0; TOKEN_ACCOUNT_SIZE];
        data.push(IS_MINT);
        for (kind, length, bytes) in extensions {
            data.extend(kind.to_le_bytes());
            data.extend(length.to_le_bytes());
            data.extend(vec![7; *bytes]);
        }
        data
    }

    const POINTER: (u16, u16, usize) = (METADATA_POINTER, 64, 64);

    #[test]
    fn no_extension_and_metadata_are_harmless() {
        assert_eq!(assert_harmless(&[0; MINT_SIZE]), Ok(()));
        assert_eq!(assert_harmless(&mint(&[])), Ok(()));
        assert_eq!(assert_harmless(&mint(&[POINTER])), Ok(()));
        assert_eq!(assert_harmless(&mint(&[POINTER, (TOKEN_METADATA, 90, 90)])), Ok(()));
        assert_eq!(assert_harmless(&mint(&[(TOKEN_METADATA, 65_535, 65_535), POINTER])), Ok(()));
        let mut padded = mint(&[POINTER]);
        padded.extend([0; 100]);
        assert_eq!(assert_harmless(&padded), Ok(()));
    }

    #[test]
    fn every_other_extension_is_refused_even_after_harmless_extensions() {
        for kind in (1..=u16::MAX).filter(|kind| ![METADATA_POINTER, TOKEN_METADATA].contains(kind))
        {
            assert_eq!(assert_harmless(&mint(&[(kind, 0, 0)])), Err(Error::Token2022Unsupported));
        }
        let hidden = [POINTER, (TOKEN_METADATA, 90, 90), (9, 32, 32)];
        assert_eq!(assert_harmless(&mint(&hidden)), Err(Error::Token2022Unsupported));
    }

    #[test]
    fn extensions_with_a_wrong_layout_are_refused() {
        let malformed: [&[(u16, u16, usize)]; 7] = [
            &[(METADATA_POINTER, 64, 63)],
            &[(METADATA_POINTER, 63, 63)],
            &[(TOKEN_METADATA, u16::MAX, 10)],
            &[POINTER, POINTER],
            &[(TOKEN_METADATA, 5, 5), (TOKEN_METADATA, 5, 5)],
            &[(0, 0, 1)],
            &[(0, 1, 1), (9, 32, 32)],
        ];
        for extensions in malformed {
            let result = assert_harmless(&mint(extensions));
            assert_eq!(result, Err(Error::MintExtensionsMalformed), "{extensions:?}");
        }
        for stray in 1..4 {
            let mut data = mint(&[POINTER]);
            data.extend(vec![18; stray]);
            assert_eq!(assert_harmless(&data), Err(Error::MintExtensionsMalformed));
        }
    }

    #[test]
    fn an_account_that_is_not_a_mint_is_refused() {
        assert_eq!(assert_harmless(&[0; MINT_SIZE + 1]), Err(Error::InvalidMint));
        assert_eq!(assert_harmless(&[0; TOKEN_ACCOUNT_SIZE]), Err(Error::InvalidMint));
        let mut account = mint(&[]);
        account[TOKEN_ACCOUNT_SIZE] = 2;
        assert_eq!(assert_harmless(&account), Err(Error::InvalidMint));
        let mut padding = mint(&[]);
        padding[MINT_SIZE] = 1;
        assert_eq!(assert_harmless(&padding), Err(Error::InvalidMint));
        let mut multisig = mint(&[]);
        multisig.resize(MULTISIG_SIZE, 0);
        assert_eq!(assert_harmless(&multisig), Err(Error::InvalidMint));
    }

    /// For any bytes, the reader returns without a panic and reads only inside the account.
    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut draw = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..50_000 {
            let mut data = mint(&[]);
            for _ in 0..draw() % 60 {
                let byte = match draw() % 4 {
                    0 => 0,
                    1 => METADATA_POINTER as u8,
                    2 => TOKEN_METADATA as u8,
                    _ => draw() as u8,
                };
                data.push(byte);
            }
            let _ = assert_harmless(&data);
        }
    }
}
