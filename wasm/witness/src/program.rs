//! Runs the programs that `circuit/witness-program` makes: each computes the witness of one circuit.
//!
//! A program is a list of steps on slots. Slot 0 is the constant one, and the inputs come next. A
//! step assigns the next slots from earlier slots, or refuses the inputs.
#![no_std]

extern crate alloc;

mod parse;
mod run;

pub use run::Refusal;

use alloc::vec::Vec;
use core::ops::Range;

use sotto_field::Fr;

/// A program that was checked: every slot that a step reads was assigned before.
pub struct Program {
    slots: usize,
    inputs: usize,
    coefficients: Vec<Fr>,
    /// The terms of all sums. Each is an index into `coefficients` and a slot.
    terms: Vec<(u32, u32)>,
    steps: Vec<Step>,
    outputs: Vec<u32>,
}

/// A sum of products of coefficients and slots.
type Sum = Range<u32>;

enum Step {
    /// Assigns `a * b + rest`.
    Product { a: Sum, b: Sum, rest: Sum },
    /// Assigns quotients. No quotient uses another quotient.
    Quotients(Vec<Quotient>),
    /// Assigns bits of a sum, in this order. All other bits of the sum must be zero.
    Bits { sum: Sum, bits: Vec<u8> },
    /// Requires `a * b = c`.
    Check { a: Sum, b: Sum, c: Sum },
}

/// `numerator / divisor + rest`. A quotient by zero is zero.
struct Quotient {
    /// True if the divisor may be zero for any numerator.
    is_free: bool,
    numerator: Sum,
    divisor: Sum,
    rest: Sum,
}

impl Program {
    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of values in a witness.
    pub fn values(&self) -> usize {
        self.outputs.len()
    }
}
