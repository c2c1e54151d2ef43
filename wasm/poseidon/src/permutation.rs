//! Circomlib's Poseidon, with its partial rounds in the faster form of the paper (Grassi et al.,
//! "Poseidon", appendix B). In this form, each partial round adds only one constant and multiplies
//! by a sparse matrix. The hashes are the same.

use core::array::from_fn;

use crate::grain::Grain;
use sotto_field::Fr;

/// Number of full rounds, in which every element passes the S-box: half at the beginning, half at the end.
const FULL_ROUNDS: usize = 8;
const HALF: usize = FULL_ROUNDS / 2;

type Matrix<const WIDTH: usize> = [[Fr; WIDTH]; WIDTH];

/// A partial round: one constant, then a matrix that is the identity except for its first row and column.
#[derive(Clone, Copy)]
struct PartialRound<const WIDTH: usize> {
    constant: Fr,
    row: [Fr; WIDTH],
    /// The first column. Its first element is not used, because the row contains it.
    column: [Fr; WIDTH],
}

/// The permutation of `WIDTH` elements in `ROUNDS` rounds, as circomlib defines it.
pub struct Permutation<const WIDTH: usize, const ROUNDS: usize> {
    constants: [[Fr; WIDTH]; FULL_ROUNDS],
    matrix: Matrix<WIDTH>,
    /// The matrix of the last full round before the partial rounds.
    joint: Matrix<WIDTH>,
    /// Only the first `ROUNDS - FULL_ROUNDS` are used.
    partial: [PartialRound<WIDTH>; ROUNDS],
}

#[inline(never)]
fn fifth_power(x: &Fr) -> Fr {
    x.square().square().mul(x)
}

/// `matrix * state`
fn mix<const WIDTH: usize>(matrix: &Matrix<WIDTH>, state: &[Fr; WIDTH]) -> [Fr; WIDTH] {
    from_fn(|place| Fr::dot(&matrix[place], state))
}

/// The `row` that solves `row * matrix = given`, without the first row and column of all three.
fn divide<const WIDTH: usize>(given: &[Fr; WIDTH], matrix: &Matrix<WIDTH>) -> [Fr; WIDTH] {
    // Gauss-Jordan elimination on the columns. No pivot is zero, because every square submatrix of a Cauchy matrix is
    // invertible. For products of these matrices, tests with the shared vectors show that no pivot is zero.
    let (mut matrix, mut given) = (*matrix, *given);
    for pivot in 1..WIDTH {
        let inverse = matrix[pivot][pivot].invert();
        for row in 1..WIDTH {
            matrix[row][pivot] = matrix[row][pivot].mul(&inverse);
        }
        given[pivot] = given[pivot].mul(&inverse);
        for column in (1..WIDTH).filter(|column| *column != pivot) {
            let factor = matrix[pivot][column];
            for row in 1..WIDTH {
                matrix[row][column] = matrix[row][column].sub(&matrix[row][pivot].mul(&factor));
            }
            given[column] = given[column].sub(&given[pivot].mul(&factor));
        }
    }
    given
}

impl<const WIDTH: usize, const ROUNDS: usize> Permutation<WIDTH, ROUNDS> {
    const PARTIAL: usize = ROUNDS - FULL_ROUNDS;

    pub fn new() -> Self {
        let mut grain = Grain::new(WIDTH, FULL_ROUNDS, Self::PARTIAL);
        let mut drawn = [[Fr::ZERO; WIDTH]; ROUNDS];
        for constant in drawn.as_flattened_mut() {
            *constant = grain.element();
        }
        let mut columns = [[Fr::ZERO; WIDTH]; 2];
        for element in columns.as_flattened_mut() {
            *element = grain.wrapping_element();
        }
        let [xs, ys] = columns;
        // This is Cauchy's matrix. The reference draws again if a matrix is weak. The shared
        // vectors show that the first draw isn't weak for any of these widths.
        let matrix = xs.map(|x| ys.map(|y| x.add(&y).invert()));

        let zero = [Fr::ZERO; WIDTH];
        let mut partial = [PartialRound { constant: Fr::ZERO, row: zero, column: zero }; ROUNDS];
        // Only the first element passes the S-box of a partial round, so the other constants may be added after the
        // S-box. There, their product with the matrix joins the constants of the next round.
        for (round, one) in partial[..Self::PARTIAL].iter_mut().enumerate() {
            let mut later = drawn[HALF + round];
            one.constant = later[0];
            later[0] = Fr::ZERO;
            let later = mix(&matrix, &later);
            let next = &mut drawn[HALF + round + 1];
            *next = from_fn(|place| next[place].add(&later[place]));
        }
        // Each dense matrix is a product of a sparse matrix and a matrix that leaves the first element alone. This
        // second matrix may be applied before the S-box, so it joins the matrix of the previous round.
        let mut joint = matrix;
        for one in partial[..Self::PARTIAL].iter_mut().rev() {
            let dense = joint;
            one.row = divide(&dense[0], &dense);
            one.row[0] = dense[0][0];
            one.column = dense.map(|row| row[0]);
            for (place, row) in joint.iter_mut().enumerate() {
                *row = from_fn(|column| {
                    let of_matrix = matrix.map(|row| row[column]);
                    if place == 0 {
                        return of_matrix[0];
                    }
                    let mut left = dense[place];
                    left[0] = Fr::ZERO;
                    Fr::dot(&left, &of_matrix)
                });
            }
        }
        let place_of = |round: usize| if round < HALF { round } else { round + Self::PARTIAL };
        Self { constants: from_fn(|round| drawn[place_of(round)]), matrix, joint, partial }
    }

    /// The hash of `WIDTH - 1` elements: the first element of the permuted state.
    pub fn hash(&self, inputs: &[Fr]) -> Fr {
        let mut state = [Fr::ZERO; WIDTH];
        state[1..].copy_from_slice(inputs);
        for round in 0..HALF {
            let matrix = if round + 1 == HALF { &self.joint } else { &self.matrix };
            state = mix(matrix, &self.substitute(round, &state));
        }
        for PartialRound { constant, row, column } in &self.partial[..Self::PARTIAL] {
            state[0] = fifth_power(&state[0].add(constant));
            let first = Fr::dot(row, &state);
            for place in 1..WIDTH {
                state[place] = state[place].add(&column[place].mul(&state[0]));
            }
            state[0] = first;
        }
        for round in HALF..FULL_ROUNDS - 1 {
            state = mix(&self.matrix, &self.substitute(round, &state));
        }
        Fr::dot(&self.matrix[0], &self.substitute(FULL_ROUNDS - 1, &state))
    }

    /// The constants and S-boxes of a full round.
    #[inline(never)]
    fn substitute(&self, round: usize, state: &[Fr; WIDTH]) -> [Fr; WIDTH] {
        from_fn(|place| fifth_power(&state[place].add(&self.constants[round][place])))
    }
}
