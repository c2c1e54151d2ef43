//! Circomlib's Poseidon over BN254's scalar field, for one to seven inputs.
//!
//! The host writes 32-byte little-endian elements to `buffer()` and reads the results there. All calls come from one
//! thread, because a WebAssembly instance has no other thread.
#![cfg_attr(target_arch = "wasm32", no_std)]

mod grain;
mod permutation;

use core::cell::{OnceCell, UnsafeCell};

use permutation::Permutation;
use sotto_field::Fr;

/// Elements that the buffer holds: 512 groups of four.
const BUFFER_ELEMENTS: usize = 2_048;
/// Maximum number of inputs of one hash.
const ARITY_MAX: usize = 7;
const OK: u32 = 0;
const NOT_AN_ELEMENT: u32 = 1;
const NO_SUCH_SIZE: u32 = 2;

#[derive(Default)]
struct Permutations {
    of_1: OnceCell<Permutation<2, 64>>,
    of_2: OnceCell<Permutation<3, 65>>,
    of_3: OnceCell<Permutation<4, 64>>,
    of_4: OnceCell<Permutation<5, 68>>,
    of_5: OnceCell<Permutation<6, 68>>,
    of_6: OnceCell<Permutation<7, 71>>,
    of_7: OnceCell<Permutation<8, 72>>,
}

impl Permutations {
    fn hash(&self, inputs: &[Fr]) -> Fr {
        match inputs.len() {
            1 => self.of_1.get_or_init(Permutation::new).hash(inputs),
            2 => self.of_2.get_or_init(Permutation::new).hash(inputs),
            3 => self.of_3.get_or_init(Permutation::new).hash(inputs),
            4 => self.of_4.get_or_init(Permutation::new).hash(inputs),
            5 => self.of_5.get_or_init(Permutation::new).hash(inputs),
            6 => self.of_6.get_or_init(Permutation::new).hash(inputs),
            _ => self.of_7.get_or_init(Permutation::new).hash(inputs),
        }
    }
}

struct Instance {
    buffer: UnsafeCell<[[u8; 32]; BUFFER_ELEMENTS]>,
    permutations: UnsafeCell<Option<Permutations>>,
}

// SAFETY: a WebAssembly instance runs on one thread, and no other code calls the exports below.
unsafe impl Sync for Instance {}

static INSTANCE: Instance = Instance {
    buffer: UnsafeCell::new([[0; 32]; BUFFER_ELEMENTS]),
    permutations: UnsafeCell::new(None),
};

/// Hashes groups of `arity` elements at the buffer's start into one element each, in place.
fn hash_groups(arity: usize, count: usize) -> u32 {
    if !(1..=ARITY_MAX).contains(&arity) || arity * count > BUFFER_ELEMENTS {
        return NO_SUCH_SIZE;
    }
    // SAFETY: there is one thread, and no export calls another, so these are the only references.
    let (buffer, permutations) =
        unsafe { (&mut *INSTANCE.buffer.get(), &mut *INSTANCE.permutations.get()) };
    let permutations = permutations.get_or_insert_with(Permutations::default);
    for group in 0..count {
        let mut inputs = [Fr::ZERO; ARITY_MAX];
        for (place, input) in inputs[..arity].iter_mut().enumerate() {
            match Fr::from_le(&buffer[group * arity + place]) {
                Some(element) => *input = element,
                None => return NOT_AN_ELEMENT,
            }
        }
        buffer[group] = permutations.hash(&inputs[..arity]).to_le();
    }
    OK
}

/// The buffer for elements and results.
#[no_mangle]
pub extern "C" fn buffer() -> *mut u8 {
    INSTANCE.buffer.get().cast()
}

/// Hashes `count` groups of `arity` elements. 0: done; 1: a number is not in the field; 2: wrong sizes.
#[no_mangle]
pub extern "C" fn hash(arity: u32, count: u32) -> u32 {
    hash_groups(arity as usize, count as usize)
}

#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
