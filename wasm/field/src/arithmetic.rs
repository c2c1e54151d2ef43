//! Arithmetic modulo BN254's two primes.
//!
//! WebAssembly has no product of 64 bits by 64, so a number is kept in nine limbs of 29 bits: up to 36
//! products of two limbs fit into one 64-bit column, and carries wait until the end of a multiplication.
#![no_std]

mod bytes;
mod constants;
mod element;
mod modulus;
mod multiply;

pub use constants::power_of_two;
pub use element::Element;
pub use modulus::{BaseField, Modulus, ScalarField};

/// Limbs of a number.
pub const LIMBS: usize = 9;
/// Bits of a limb.
pub const LIMB_BITS: u32 = 29;
/// The lowest `LIMB_BITS` bits.
pub const LIMB_MASK: u32 = (1 << LIMB_BITS) - 1;

/// A number below 2^261, lowest limb first.
pub type Limbs = [u32; LIMBS];

/// A coordinate of the base field.
pub type Fq = Element<BaseField>;
/// A scalar.
pub type Fr = Element<ScalarField>;
