//! Groth16's prover (Groth, "On the Size of Pairing-based Non-interactive Arguments", section 3.2), in the
//! form that snarkjs' keys are made for: H's points stand for values half a step off the domain.

use alloc::vec::Vec;

use sotto_field::{Fq, Fr};

use crate::digits::Scalar;
use crate::domain::Domain;
use crate::field::{Field, Fq2};
use crate::key::{Coefficient, Key, Query};
use crate::multiexp::{multiexp, multiply};
use crate::point::{Affine, Point};

/// Widths of windows, the best of those measured for the settle circuit's sizes.
const A_BITS: usize = 10;
const B_BITS: usize = 9;
const C_BITS: usize = 11;

pub struct Proof {
    pub a: Affine<Fq>,
    pub b: Affine<Fq2>,
    pub c: Affine<Fq>,
}

/// A key with what is worked out from it once.
pub struct Prover {
    key: Key,
    domain: Domain,
}

impl Prover {
    pub fn new(key: Key) -> Self {
        let domain = Domain::new(key.log_domain);
        Self { key, domain }
    }

    /// Values that a witness has: one for each signal, the first of them 1.
    pub fn signals(&self) -> usize {
        self.key.signals
    }

    /// Proves with the blinding scalars `r` and `s`, which must be fresh, uniform and secret: they are
    /// what keeps the witness out of the proof.
    pub fn prove(&self, witness: &[Scalar], r: &Scalar, s: &Scalar) -> Option<Proof> {
        let key = &self.key;
        let blinding = Fr::from_le(r)?;
        let mut values = Vec::with_capacity(witness.len());
        for scalar in witness {
            values.push(Fr::from_le(scalar)?);
        }

        let a = weigh(&key.a, witness, (&key.delta1, r), A_BITS).add_affine(&key.alpha1);
        let b = weigh(&key.b2, witness, (&key.delta2, s), B_BITS).add_affine(&key.beta2);
        let a = a.to_affine();

        // C = sum(c) + sum(h) + s A + r B1 - r s delta, with B1 = beta + sum(b1) + s delta: the last terms
        // cancel, and all the sums are one.
        let mut points = key.c.points.clone();
        let mut scalars = pick(&key.c.signals, witness);
        points.extend_from_slice(&key.h);
        scalars.extend(self.quotient(witness).iter().map(Fr::to_le));
        points.extend_from_slice(&key.b1.points);
        scalars.extend(
            key.b1.signals.iter().map(|signal| values[*signal as usize].mul(&blinding).to_le()),
        );
        points.push(key.beta1);
        scalars.push(*r);
        let c = multiexp(&points, &scalars, C_BITS).add(&multiply(&a, s));
        Some(Proof { a, b: b.to_affine(), c: c.to_affine() })
    }

    /// The values of A * B - C half a step off the domain.
    fn quotient(&self, witness: &[Scalar]) -> Vec<Fr> {
        let [mut a, mut b] = self.key.matrices.each_ref().map(|matrix| self.apply(matrix, witness));
        let mut c: Vec<Fr> = a.iter().zip(&b).map(|(a, b)| a.mul(b)).collect();
        for values in [&mut a, &mut b, &mut c] {
            self.domain.shift(values);
        }
        a.iter().zip(&b).zip(&c).map(|((a, b), c)| a.mul(b).sub(c)).collect()
    }

    /// The product of one matrix with the witness.
    fn apply(&self, matrix: &[Coefficient], witness: &[Scalar]) -> Vec<Fr> {
        let mut values = alloc::vec![Fr::ZERO; self.domain.size()];
        for Coefficient { constraint, signal, value } in matrix {
            let plain = Fr::from_raw(Fr::raw_from_le(&witness[*signal as usize]));
            let row = &mut values[*constraint as usize];
            *row = row.add(&value.mul(&plain));
        }
        values
    }
}

/// The sum of a query's points by the witness, and of one point more.
fn weigh<F: Field>(
    query: &Query<F>,
    witness: &[Scalar],
    (point, scalar): (&Affine<F>, &Scalar),
    bits: usize,
) -> Point<F> {
    let mut points = query.points.clone();
    let mut scalars = pick(&query.signals, witness);
    points.push(*point);
    scalars.push(*scalar);
    multiexp(&points, &scalars, bits)
}

fn pick(signals: &[u32], witness: &[Scalar]) -> Vec<Scalar> {
    signals.iter().map(|signal| witness[*signal as usize]).collect()
}
