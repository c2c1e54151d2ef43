use alloc::vec::Vec;

use sotto_field::Fr;

use crate::{Program, Quotient, Step, Sum};

const PRODUCT: u32 = 0;
const QUOTIENTS: u32 = 1;
const BITS: u32 = 2;
const CHECK: u32 = 3;

const NUMBER_BITS: u32 = 254;

struct Reader<'a> {
    bytes: &'a [u8],
    coefficients: u32,
    /// The number of slots that are assigned so far.
    assigned: u32,
    terms: Vec<(u32, u32)>,
}

impl Program {
    /// Reads a program; `None` if the bytes aren't a program.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes, coefficients: 0, assigned: 0, terms: Vec::new() };
        let [slots, inputs, listed, outputs, steps] = [(); 5].map(|()| reader.integer());
        let (slots, inputs) = (slots? as usize, inputs? as usize);
        // The list leaves out the first two coefficients, which are always 1 and -1.
        let mut coefficients = alloc::vec![Fr::ONE, Fr::ONE.neg()];
        for _ in 0..listed? {
            let (number, rest) = reader.bytes.split_first_chunk::<32>()?;
            coefficients.push(Fr::from_le(number)?);
            reader.bytes = rest;
        }
        reader.coefficients = coefficients.len() as u32;
        let outputs: Vec<u32> = (0..outputs?).map(|_| reader.integer()).collect::<Option<_>>()?;
        reader.assigned = u32::try_from(inputs).ok()?.checked_add(1)?;
        let steps = (0..steps?).map(|_| reader.step()).collect::<Option<Vec<_>>>()?;
        let is_whole = reader.bytes.is_empty()
            && reader.assigned as usize == slots
            && inputs < outputs.len()
            && outputs.iter().all(|slot| *slot < reader.assigned);
        is_whole.then_some(Self {
            slots,
            inputs,
            coefficients,
            terms: reader.terms,
            steps,
            outputs,
        })
    }
}

impl Reader<'_> {
    /// An integer in LEB128.
    fn integer(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for shift in (0..32).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            value |= ((byte & 0x7f) as u32) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn sum(&mut self) -> Option<Sum> {
        let start = self.terms.len() as u32;
        for _ in 0..self.integer()? {
            let (coefficient, slot) = (self.integer()?, self.integer()?);
            if coefficient >= self.coefficients || slot >= self.assigned {
                return None;
            }
            self.terms.push((coefficient, slot));
        }
        Some(start..self.terms.len() as u32)
    }

    /// Reads a slot that a step assigns. The slot must be the next unassigned slot.
    fn assign(&mut self) -> Option<()> {
        let slot = self.integer()?;
        let is_next = slot == self.assigned;
        self.assigned += 1;
        is_next.then_some(())
    }

    fn step(&mut self) -> Option<Step> {
        match self.integer()? {
            PRODUCT => {
                let (a, b, rest) = (self.sum()?, self.sum()?, self.sum()?);
                self.assign()?;
                Some(Step::Product { a, b, rest })
            }
            QUOTIENTS => {
                let count = self.integer()?;
                let quotients = (0..count).map(|_| self.quotient()).collect::<Option<_>>()?;
                (0..count).try_for_each(|_| self.assign())?;
                Some(Step::Quotients(quotients))
            }
            BITS => {
                let sum = self.sum()?;
                let bits = (0..self.integer()?).map(|_| self.bit()).collect::<Option<_>>()?;
                Some(Step::Bits { sum, bits })
            }
            CHECK => Some(Step::Check { a: self.sum()?, b: self.sum()?, c: self.sum()? }),
            _ => None,
        }
    }

    fn quotient(&mut self) -> Option<Quotient> {
        let is_free = self.integer()? == 1;
        let (numerator, divisor, rest) = (self.sum()?, self.sum()?, self.sum()?);
        Some(Quotient { is_free, numerator, divisor, rest })
    }

    fn bit(&mut self) -> Option<u8> {
        let bit = self.integer()?;
        self.assign()?;
        (bit < NUMBER_BITS).then_some(bit as u8)
    }
}
