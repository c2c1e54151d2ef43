//! Groth16 proofs over BN254 with a snarkjs proving key.
//!
//! This crate is built as a WebAssembly module (`module.rs`) and into a native executable (`wasm/native`).
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

mod buckets;
mod digits;
mod domain;
mod field;
mod key;
#[cfg(target_arch = "wasm32")]
mod module;
mod multiexp;
mod parallel;
mod point;
mod prove;
mod reader;
mod wiping;

pub use digits::Scalar;
pub use key::{Key, Part};
pub use prove::{Proof, Prover};
pub use sotto_witness::{Program, Refusal};
pub use wiping::Wiping;

/// Count of the field elements in a proof: A (2), B (4), C (2).
pub const PROOF_NUMBERS: usize = 8;

impl Proof {
    /// The coordinates of A, B and C, each in 32 little-endian bytes.
    pub fn numbers(&self) -> [[u8; 32]; PROOF_NUMBERS] {
        let Self { a, b, c } = self;
        [a.x, a.y, b.x.c0, b.x.c1, b.y.c0, b.y.c1, c.x, c.y].map(|number| number.to_le())
    }
}
