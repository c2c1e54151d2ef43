use crate::grain::Grain;
use sotto_field::Fr;

/// Number of rounds at the beginning and at the end, together, in which every element passes the S-box.
const FULL_ROUNDS: usize = 8;

/// The permutation of `WIDTH` elements in `ROUNDS` rounds, as circomlib defines it.
pub struct Permutation<const WIDTH: usize, const ROUNDS: usize> {
    constants: [[Fr; WIDTH]; ROUNDS],
    matrix: [[Fr; WIDTH]; WIDTH],
}

fn fifth_power(x: &Fr) -> Fr {
    x.square().square().mul(x)
}

/// The scalar product, three terms to a reduction.
#[inline(always)]
fn dot<const WIDTH: usize>(a: &[Fr; WIDTH], b: &[Fr; WIDTH]) -> Fr {
    let mut sum = Fr::ZERO;
    let mut at = 0;
    while at + 3 <= WIDTH {
        let part = Fr::dot3([(&a[at], &b[at]), (&a[at + 1], &b[at + 1]), (&a[at + 2], &b[at + 2])]);
        sum = if at == 0 { part } else { sum.add(&part) };
        at += 3;
    }
    while at < WIDTH {
        sum = sum.add(&a[at].mul(&b[at]));
        at += 1;
    }
    sum
}

impl<const WIDTH: usize, const ROUNDS: usize> Permutation<WIDTH, ROUNDS> {
    pub fn new() -> Self {
        let mut grain = Grain::new(WIDTH, FULL_ROUNDS, ROUNDS - FULL_ROUNDS);
        let mut constants = [[Fr::ZERO; WIDTH]; ROUNDS];
        for constant in constants.as_flattened_mut() {
            *constant = grain.element();
        }
        let mut columns = [[Fr::ZERO; WIDTH]; 2];
        for element in columns.as_flattened_mut() {
            *element = grain.wrapping_element();
        }
        let [xs, ys] = columns;
        // This is Cauchy's matrix. The reference draws again if a matrix is weak. The first draw
        // for each of these widths isn't weak; otherwise the shared vectors would differ.
        let matrix = xs.map(|x| ys.map(|y| x.add(&y).invert()));
        Self { constants, matrix }
    }

    /// The hash of `WIDTH - 1` elements: the first element of the permuted state.
    pub fn hash(&self, inputs: &[Fr]) -> Fr {
        let mut state = [Fr::ZERO; WIDTH];
        state[1..].copy_from_slice(inputs);
        for (round, constants) in self.constants.iter().enumerate() {
            for (element, constant) in state.iter_mut().zip(constants) {
                *element = element.add(constant);
            }
            let half = FULL_ROUNDS / 2;
            if round < half || round >= ROUNDS - half {
                for element in &mut state {
                    *element = fifth_power(element);
                }
            } else {
                state[0] = fifth_power(&state[0]);
            }
            if round + 1 == ROUNDS {
                return dot(&self.matrix[0], &state);
            }
            let mut mixed = [Fr::ZERO; WIDTH];
            for (element, row) in mixed.iter_mut().zip(&self.matrix) {
                *element = dot(row, &state);
            }
            state = mixed;
        }
        state[0]
    }
}
