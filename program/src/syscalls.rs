//! The syscalls that pinocchio doesn't wrap. This file and `entrypoint.rs` contain all of the
//! program's own `unsafe`. On the host, crates compute the same functions, so that tests can run
//! the rest of the program.

#[cfg(target_os = "solana")]
use solana_define_syscall::definitions;

/// SHA-256 over the concatenation of `parts`.
#[cfg(target_os = "solana")]
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut digest = [0; 32];
    // SAFETY: a slice of byte slices has the layout of the (address, length) pairs that the
    // syscall reads. The slice and the 32 bytes that are written outlive the call.
    unsafe {
        definitions::sol_sha256(
            parts.as_ptr() as *const u8,
            parts.len() as u64,
            digest.as_mut_ptr(),
        );
    }
    digest
}

/// SHA-256 over the concatenation of `parts`.
#[cfg(not(target_os = "solana"))]
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    use sha2::{Digest, Sha256};
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// circomlib's Poseidon over BN254 of big-endian field elements; `None` if an element is not
/// below the modulus.
#[cfg(target_os = "solana")]
pub fn poseidon(inputs: &[&[u8]]) -> Option<[u8; 32]> {
    const BN254_X5: u64 = 0;
    const BIG_ENDIAN: u64 = 0;
    let mut hash = [0; 32];
    // SAFETY: as in `sha256`. The result is 32 bytes long.
    let code = unsafe {
        definitions::sol_poseidon(
            BN254_X5,
            BIG_ENDIAN,
            inputs.as_ptr() as *const u8,
            inputs.len() as u64,
            hash.as_mut_ptr(),
        )
    };
    (code == 0).then_some(hash)
}

/// circomlib's Poseidon over BN254 of big-endian field elements; `None` if an element is not
/// below the modulus.
#[cfg(not(target_os = "solana"))]
pub fn poseidon(inputs: &[&[u8]]) -> Option<[u8; 32]> {
    use light_poseidon::{Poseidon, PoseidonBytesHasher};
    let mut hasher = Poseidon::<ark_bn254::Fr>::new_circom(inputs.len()).ok()?;
    hasher.hash_bytes_be(inputs).ok()
}

/// True if every byte is zero: the first byte is zero, and each byte equals the next. The comparison
/// runs in the validator, because a loop here would exceed a transaction's compute budget.
#[cfg(target_os = "solana")]
pub fn is_zeroed(data: &[u8]) -> bool {
    let Some((0, rest)) = data.split_first() else {
        return data.is_empty();
    };
    let mut difference = 0;
    // SAFETY: both ranges are `rest.len()` bytes long and lie within `data`. The result is one i32.
    unsafe {
        definitions::sol_memcmp_(data.as_ptr(), rest.as_ptr(), rest.len() as u64, &mut difference);
    }
    difference == 0
}

/// True if every byte is zero.
#[cfg(not(target_os = "solana"))]
pub fn is_zeroed(data: &[u8]) -> bool {
    data.iter().all(|byte| *byte == 0)
}

/// Writes one `Program data:` line of the given fields to the transaction's log.
#[cfg(target_os = "solana")]
pub fn log_data(fields: &[&[u8]]) {
    // SAFETY: as in `sha256`. The call writes nothing.
    unsafe { definitions::sol_log_data(fields.as_ptr() as *const u8, fields.len() as u64) }
}

/// On the host there is no log.
#[cfg(not(target_os = "solana"))]
pub fn log_data(_fields: &[&[u8]]) {}
