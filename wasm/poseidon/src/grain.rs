//! Constants of Poseidon, drawn as in the reference (Grassi et al., appendix E): by a Grain LFSR
//! that is seeded with the parameters. Computing them at the start makes tables unnecessary.

use sotto_field::Fr;

/// Bits of the scalar field's modulus.
const FIELD_BITS: usize = 254;
const STATE_BITS: usize = 80;

pub struct Grain {
    state: [bool; STATE_BITS],
    /// Position of the oldest bit.
    first: usize,
}

impl Grain {
    /// The generator for a permutation of `width` elements with S-box x^5.
    pub fn new(width: usize, full_rounds: usize, partial_rounds: usize) -> Self {
        let mut state = [true; STATE_BITS];
        let mut place = 0;
        // In order: prime field, S-box x^alpha, bits of the modulus, width, full rounds, partial rounds, ones.
        for (value, bits) in
            [(1, 2), (0, 4), (FIELD_BITS, 12), (width, 12), (full_rounds, 10), (partial_rounds, 10)]
        {
            for bit in (0..bits).rev() {
                state[place] = value >> bit & 1 == 1;
                place += 1;
            }
        }
        let mut grain = Self { state, first: 0 };
        for _ in 0..160 {
            grain.step();
        }
        grain
    }

    fn step(&mut self) -> bool {
        let at = |offset: usize| self.state[(self.first + offset) % STATE_BITS];
        let bit = at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0);
        self.state[self.first] = bit;
        self.first = (self.first + 1) % STATE_BITS;
        bit
    }

    /// Draws a bit. Bits come in pairs: the second bit is the result if the first bit is 1; otherwise both are dropped.
    fn bit(&mut self) -> bool {
        while !self.step() {
            self.step();
        }
        self.step()
    }

    fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for bit in (0..FIELD_BITS).rev() {
            bytes[bit / 8] |= (self.bit() as u8) << (bit % 8);
        }
        bytes
    }

    /// A uniform element. Draws at or above the modulus are discarded.
    pub fn element(&mut self) -> Fr {
        loop {
            if let Some(element) = Fr::from_le(&self.bytes()) {
                return element;
            }
        }
    }

    /// An element of the matrix. Draws at or above the modulus are reduced.
    pub fn wrapping_element(&mut self) -> Fr {
        Fr::from_any_le(&self.bytes())
    }
}
