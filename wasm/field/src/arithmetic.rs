//! Arithmetic modulo BN254's two primes, with one implementation for each kind of machine.
//!
//! WebAssembly can't multiply two 64-bit numbers to a 128-bit product. So it uses nine limbs of 29 bits. Up to 63
//! products of two limbs fit into one 64-bit column, and carries wait until the end of a multiplication. A processor
//! can compute a 128-bit product, so native code uses four limbs of 64 bits and takes less than half the time.
#![no_std]

#[cfg(target_arch = "wasm32")]
mod bytes;
#[cfg(target_arch = "wasm32")]
mod constants;
#[cfg(target_arch = "wasm32")]
mod element;
mod inverse;
#[cfg(target_arch = "wasm32")]
mod modulus;
#[cfg(target_arch = "wasm32")]
mod multiply;
mod power;
#[cfg(not(target_arch = "wasm32"))]
mod wide;

#[cfg(target_arch = "wasm32")]
pub use narrow::*;
#[cfg(not(target_arch = "wasm32"))]
pub use wide::{BaseField, Element, Modulus, ScalarField};

#[cfg(target_arch = "wasm32")]
mod narrow {
    pub use crate::element::Element;
    pub use crate::modulus::{BaseField, Modulus, ScalarField};

    /// Limbs of a number.
    pub const LIMBS: usize = 9;
    /// Bits of a limb.
    pub const LIMB_BITS: u32 = 29;
    /// The lowest `LIMB_BITS` bits.
    pub const LIMB_MASK: u32 = (1 << LIMB_BITS) - 1;

    /// A number below 2^261, lowest limb first.
    pub type Limbs = [u32; LIMBS];
}

/// A coordinate of the base field.
pub type Fq = Element<BaseField>;
/// A scalar.
pub type Fr = Element<ScalarField>;
