//! The module's exports.
//!
//! Two instances make a proof together; they share no memory. One makes the start of the proof, the other makes the
//! rest. For each instance, the host asks for memory with `reserve`, writes a key there, and calls `load_start` or
//! `load_rest` once. It loads a program with `load_program` in the same way. For each proof, it writes two blinding
//! scalars and the witness, and calls `prove_start` or `prove_rest`. `add` makes C from both results. Instead of the
//! witness, the host may write the circuit's inputs and call `solve` first. Numbers are 32 little-endian bytes. All
//! calls come from one thread, because an instance has no other thread.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::UnsafeCell;

use crate::key::Part;
use crate::point::{Affine, Point};
use crate::prove::Start;
use crate::{Key, Program, Prover, Refusal, Scalar, Wiping};
use sotto_field::Fq;

#[global_allocator]
static ALLOCATOR: Wiping<dlmalloc::GlobalDlmalloc> = Wiping(dlmalloc::GlobalDlmalloc);

const OK: u32 = 0;
const NOT_AN_ELEMENT: u32 = 1;
const NO_KEY: u32 = 2;
const NO_SUCH_SIZE: u32 = 3;
const BROKEN_RULE: u32 = 4;

struct Instance {
    memory: UnsafeCell<Vec<[u8; 32]>>,
    prover: UnsafeCell<Option<Prover>>,
    program: UnsafeCell<Option<Program>>,
}

// SAFETY: a WebAssembly instance runs on one thread, and no other code calls the exports below.
unsafe impl Sync for Instance {}

static INSTANCE: Instance = Instance {
    memory: UnsafeCell::new(Vec::new()),
    prover: UnsafeCell::new(None),
    program: UnsafeCell::new(None),
};

/// Memory for at least `bytes` bytes. Memory that was reserved earlier is freed.
#[no_mangle]
pub extern "C" fn reserve(bytes: u32) -> *mut u8 {
    // SAFETY: there is one thread, and no export calls another, so this is the only reference.
    let memory = unsafe { &mut *INSTANCE.memory.get() };
    *memory = alloc::vec![[0; 32]; (bytes as usize).div_ceil(32)];
    memory.as_mut_ptr().cast()
}

/// Loads a proving key of `bytes` bytes from the reserved memory, for the start of proofs.
#[no_mangle]
pub extern "C" fn load_start(bytes: u32) -> u32 {
    load(bytes, Part::Start)
}

/// Loads a proving key like `load_start`, for the rest of proofs.
#[no_mangle]
pub extern "C" fn load_rest(bytes: u32) -> u32 {
    load(bytes, Part::Rest)
}

fn load(bytes: u32, part: Part) -> u32 {
    // SAFETY: as in `reserve`.
    let (memory, prover) = unsafe { (&mut *INSTANCE.memory.get(), &mut *INSTANCE.prover.get()) };
    let Some(key) = memory.as_flattened().get(..bytes as usize) else { return NO_SUCH_SIZE };
    *prover = Some(Prover::new(Key::read(key, part), 1));
    OK
}

/// Loads a witness program of `bytes` bytes from the reserved memory, and returns the number of its inputs; 0 if the
/// bytes aren't a program. A program needs no key.
#[no_mangle]
pub extern "C" fn load_program(bytes: u32) -> u32 {
    // SAFETY: as in `reserve`.
    let (memory, program) = unsafe { (&mut *INSTANCE.memory.get(), &mut *INSTANCE.program.get()) };
    *program = memory.as_flattened().get(..bytes as usize).and_then(Program::read);
    program.as_ref().map_or(0, |one| one.inputs() as u32)
}

/// Replaces the circuit's inputs with the witness. Both are in the reserved memory, after two numbers; the memory must
/// have room for the witness. 0: done; 1: an input is not in the field; 2: no program; 3: the memory has the wrong
/// size; 4: the inputs break a rule of the circuit.
#[no_mangle]
pub extern "C" fn solve() -> u32 {
    // SAFETY: as in `reserve`.
    let (memory, program) = unsafe { (&mut *INSTANCE.memory.get(), &*INSTANCE.program.get()) };
    let Some(program) = program else { return NO_KEY };
    if memory.len() != program.values() + 2 {
        return NO_SUCH_SIZE;
    }
    match program.run(&memory[2..2 + program.inputs()]) {
        Ok(witness) => {
            memory[2..].copy_from_slice(&witness);
            OK
        }
        Err(refusal) => {
            memory.fill([0; 32]);
            match refusal {
                Refusal::NotAnElement => NOT_AN_ELEMENT,
                Refusal::BrokenRule => BROKEN_RULE,
            }
        }
    }
}

/// Number of values in a witness; 0 without a key.
#[no_mangle]
pub extern "C" fn signals() -> u32 {
    // SAFETY: as in `reserve`.
    let prover = unsafe { &*INSTANCE.prover.get() };
    prover.as_ref().map_or(0, |prover| prover.signals() as u32)
}

/// Computes A (2 numbers), B (4) and A times s (2). The reserved memory contains two blinding scalars and the witness.
/// Afterwards it contains the result at its start, and everything else in it is wiped. 0: done; 1: a number is not in
/// the field; 2: no key; 3: the memory has the wrong size.
#[no_mangle]
pub extern "C" fn prove_start() -> u32 {
    prove(|prover, witness, r, s| {
        let Start { a, b, a_by_s } = prover.start(witness, r, s)?;
        Some(vec![a.x, a.y, b.x.c0, b.x.c1, b.y.c0, b.y.c1, a_by_s.x, a_by_s.y])
    })
}

/// Computes C without A times s (2 numbers). In all other respects, it works like `prove_start`.
#[no_mangle]
pub extern "C" fn prove_rest() -> u32 {
    prove(|prover, witness, r, _| prover.rest(witness, r).map(|c| vec![c.x, c.y]))
}

fn prove(work: impl Fn(&Prover, &[Scalar], &Scalar, &Scalar) -> Option<Vec<Fq>>) -> u32 {
    // SAFETY: as in `reserve`.
    let (memory, prover) = unsafe { (&mut *INSTANCE.memory.get(), &*INSTANCE.prover.get()) };
    let Some(prover) = prover else { return NO_KEY };
    if memory.len() != prover.signals() + 2 {
        return NO_SUCH_SIZE;
    }
    let (blinding, witness) = memory.split_at(2);
    let numbers = work(prover, witness, &blinding[0], &blinding[1]);
    memory.fill([0; 32]);
    let Some(numbers) = numbers else { return NOT_AN_ELEMENT };
    for (place, number) in memory.iter_mut().zip(numbers) {
        *place = number.to_le();
    }
    OK
}

/// Adds the two points (2 numbers each) at the start of the reserved memory, and writes their sum there.
#[no_mangle]
pub extern "C" fn add() -> u32 {
    // SAFETY: as in `reserve`.
    let memory = unsafe { &mut *INSTANCE.memory.get() };
    let Some(numbers) = memory.first_chunk_mut::<4>() else { return NO_SUCH_SIZE };
    let [Some(x), Some(y), Some(other_x), Some(other_y)] =
        numbers.map(|number| Fq::from_le(&number))
    else {
        return NOT_AN_ELEMENT;
    };
    let sum = Point::from_affine(&Affine { x, y }).add_affine(&Affine { x: other_x, y: other_y });
    let sum = sum.to_affine();
    (numbers[0], numbers[1]) = (sum.x.to_le(), sum.y.to_le());
    OK
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
