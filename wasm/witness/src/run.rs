use alloc::vec::Vec;

use sotto_field::Fr;

use crate::{Program, Quotient, Step, Sum};

const ONE: u32 = 0;
const MINUS_ONE: u32 = 1;

/// The reason why there is no witness.
pub enum Refusal {
    /// An input isn't in the field, or inputs are missing.
    NotAnElement,
    /// The inputs break a rule of the circuit.
    BrokenRule,
}

impl Program {
    /// The circuit's witness for these inputs, as numbers of 32 little-endian bytes.
    pub fn run(&self, inputs: &[[u8; 32]]) -> Result<Vec<[u8; 32]>, Refusal> {
        if inputs.len() != self.inputs {
            return Err(Refusal::NotAnElement);
        }
        let mut slots = Vec::with_capacity(self.slots);
        slots.push(Fr::ONE);
        for input in inputs {
            slots.push(Fr::from_le(input).ok_or(Refusal::NotAnElement)?);
        }
        for step in &self.steps {
            self.take(step, &mut slots).ok_or(Refusal::BrokenRule)?;
        }
        Ok(self.outputs.iter().map(|slot| slots[*slot as usize].to_le()).collect())
    }

    /// Takes one step; `None` if the step refuses the inputs.
    fn take(&self, step: &Step, slots: &mut Vec<Fr>) -> Option<()> {
        match step {
            Step::Product { a, b, rest } => {
                let mut value = self.sum(rest, slots);
                if !a.is_empty() && !b.is_empty() {
                    value = value.add(&self.sum(a, slots).mul(&self.sum(b, slots)));
                }
                slots.push(value);
            }
            Step::Quotients(quotients) => self.divide(quotients, slots)?,
            Step::Bits { sum, bits } => {
                let mut left = self.sum(sum, slots).to_le();
                for bit in bits {
                    let (byte, mask) = (&mut left[*bit as usize / 8], 1 << (bit % 8));
                    slots.push(if *byte & mask == 0 { Fr::ZERO } else { Fr::ONE });
                    *byte &= !mask;
                }
                return (left == [0; 32]).then_some(());
            }
            Step::Check { a, b, c } => {
                let product = self.sum(a, slots).mul(&self.sum(b, slots));
                return product.sub(&self.sum(c, slots)).is_zero().then_some(());
            }
        }
        Some(())
    }

    fn sum(&self, sum: &Sum, slots: &[Fr]) -> Fr {
        let mut total = Fr::ZERO;
        for (coefficient, slot) in &self.terms[sum.start as usize..sum.end as usize] {
            let value = &slots[*slot as usize];
            total = match *coefficient {
                ONE => total.add(value),
                MINUS_ONE => total.sub(value),
                other => total.add(&self.coefficients[other as usize].mul(value)),
            };
        }
        total
    }

    /// Assigns quotients with only one inversion: it inverts the product of all nonzero divisors. This inverse times
    /// all divisors except one is the inverse of that one divisor.
    fn divide(&self, quotients: &[Quotient], slots: &mut Vec<Fr>) -> Option<()> {
        let divisors: Vec<Fr> = quotients.iter().map(|one| self.sum(&one.divisor, slots)).collect();
        let mut products = Vec::with_capacity(divisors.len());
        let mut product = Fr::ONE;
        for divisor in &divisors {
            products.push(product);
            if !divisor.is_zero() {
                product = product.mul(divisor);
            }
        }
        let mut inverse = product.invert();
        let first = slots.len();
        slots.resize(first + quotients.len(), Fr::ZERO);
        for (index, quotient) in quotients.iter().enumerate().rev() {
            let numerator = self.sum(&quotient.numerator, slots);
            let mut value = self.sum(&quotient.rest, slots);
            if !divisors[index].is_zero() {
                value = value.add(&numerator.mul(&inverse.mul(&products[index])));
                inverse = inverse.mul(&divisors[index]);
            } else if !quotient.is_free && !numerator.is_zero() {
                return None;
            }
            slots[first + index] = value;
        }
        Some(())
    }
}
