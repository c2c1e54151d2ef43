//! Groth16 proofs over BN254 from a snarkjs proving key.
//!
//! The host asks for memory with `reserve`, writes a key there and calls `load_key` once, then for each
//! proof writes a witness and two blinding scalars and calls `prove`. Numbers are 32 little-endian bytes.
//! Calls come from one thread: a WebAssembly instance has no other.
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

mod buckets;
mod digits;
mod domain;
mod field;
mod key;
mod multiexp;
mod point;
mod prove;
mod reader;

use alloc::vec::Vec;
use core::cell::UnsafeCell;

use key::Key;
use prove::{Proof, Prover};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

const OK: u32 = 0;
const NOT_AN_ELEMENT: u32 = 1;
const NO_KEY: u32 = 2;
const NO_SUCH_SIZE: u32 = 3;

/// Numbers of a proof: A (2), B (4), C (2).
const PROOF_NUMBERS: usize = 8;

struct Instance {
    memory: UnsafeCell<Vec<[u8; 32]>>,
    prover: UnsafeCell<Option<Prover>>,
}

// SAFETY: a WebAssembly instance runs on one thread; nothing else calls the exports below.
unsafe impl Sync for Instance {}

static INSTANCE: Instance =
    Instance { memory: UnsafeCell::new(Vec::new()), prover: UnsafeCell::new(None) };

/// Memory for at least `bytes` bytes; what was reserved before is gone.
#[no_mangle]
pub extern "C" fn reserve(bytes: u32) -> *mut u8 {
    // SAFETY: one thread, and no export calls another: this is the only reference.
    let memory = unsafe { &mut *INSTANCE.memory.get() };
    *memory = alloc::vec![[0; 32]; (bytes as usize).div_ceil(32)];
    memory.as_mut_ptr().cast()
}

/// Takes the proving key that was written to the reserved memory, `bytes` bytes long.
#[no_mangle]
pub extern "C" fn load_key(bytes: u32) -> u32 {
    // SAFETY: as in `reserve`.
    let (memory, prover) = unsafe { (&mut *INSTANCE.memory.get(), &mut *INSTANCE.prover.get()) };
    let Some(key) = memory.as_flattened().get(..bytes as usize) else { return NO_SUCH_SIZE };
    *prover = Some(Prover::new(Key::read(key)));
    OK
}

/// How many numbers a witness has; 0 without a key.
#[no_mangle]
pub extern "C" fn signals() -> u32 {
    // SAFETY: as in `reserve`.
    let prover = unsafe { &*INSTANCE.prover.get() };
    prover.as_ref().map_or(0, |prover| prover.signals() as u32)
}

/// Proves. The reserved memory holds two blinding scalars and the witness, and then, at its start, the
/// proof; everything else in it is wiped. 0: done; 1: a number is none of the field; 2: no key; 3: the
/// memory has another size.
#[no_mangle]
pub extern "C" fn prove() -> u32 {
    // SAFETY: as in `reserve`.
    let (memory, prover) = unsafe { (&mut *INSTANCE.memory.get(), &*INSTANCE.prover.get()) };
    let Some(prover) = prover else { return NO_KEY };
    if memory.len() != prover.signals() + 2 {
        return NO_SUCH_SIZE;
    }
    let (blinding, witness) = memory.split_at(2);
    let proof = prover.prove(witness, &blinding[0], &blinding[1]);
    memory.fill([0; 32]);
    let Some(Proof { a, b, c }) = proof else { return NOT_AN_ELEMENT };
    let numbers: [_; PROOF_NUMBERS] = [a.x, a.y, b.x.c0, b.x.c1, b.y.c0, b.y.c1, c.x, c.y];
    memory[..PROOF_NUMBERS].copy_from_slice(&numbers.map(|number| number.to_le()));
    OK
}

#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
