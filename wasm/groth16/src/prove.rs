//! Groth16's prover (Groth, "On the Size of Pairing-based Non-interactive Arguments", section
//! 3.2), for keys made by snarkjs. Their H query is for the domain shifted by half a step.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use sotto_field::{Fq, Fr};

use crate::buckets::Buckets;
use crate::digits::Scalar;
use crate::domain::Domain;
use crate::field::{Field, Fq2};
use crate::key::{Coefficient, Key, Query};
use crate::multiexp::{multiply, Multiexp};
use crate::parallel::share;
use crate::point::{Affine, Point};

/// Widths of windows: the fastest widths measured for the sizes of the settle circuit.
const A_BITS: usize = 10;
const B_BITS: usize = 9;
const C_BITS: usize = 11;

pub struct Proof {
    pub a: Affine<Fq>,
    pub b: Affine<Fq2>,
    pub c: Affine<Fq>,
}

/// The points of a proof that don't depend on the quotient: A, B, and A times the blinding scalar s.
pub struct Start {
    pub a: Affine<Fq>,
    pub b: Affine<Fq2>,
    pub a_by_s: Affine<Fq>,
}

/// A key, with the values that are computed from it once.
pub struct Prover {
    key: Key,
    domain: Domain,
    threads: usize,
    /// Number of proofs that are being made.
    proofs: AtomicUsize,
}

/// The partial sum of one window, for A or for B.
enum Window {
    A(Point<Fq>),
    B(Point<Fq2>),
}

impl Prover {
    /// `threads` is the number of threads that all concurrent proofs share. Each proof uses at least the thread that
    /// asks for it. In WebAssembly there is always one thread.
    pub fn new(key: Key, threads: usize) -> Self {
        let domain = Domain::new(key.log_domain);
        Self { key, domain, threads, proofs: AtomicUsize::new(0) }
    }

    /// Number of values in a witness: one for each signal. The first value is 1.
    pub fn signals(&self) -> usize {
        self.key.signals
    }

    /// Proves with the blinding scalars `r` and `s`. They must be fresh, uniform and secret,
    /// because they hide the witness. None if the witness or `r` isn't in the field.
    pub fn prove(&self, witness: &[Scalar], r: &Scalar, s: &Scalar) -> Option<Proof> {
        self.proofs.fetch_add(1, Ordering::Relaxed);
        let proof = self.make(witness, r, s);
        self.proofs.fetch_sub(1, Ordering::Relaxed);
        proof
    }

    fn make(&self, witness: &[Scalar], r: &Scalar, s: &Scalar) -> Option<Proof> {
        let values = elements(witness)?;
        let blinding = Fr::from_le(r)?;
        let (quotient, start) = self.start_beside(|| self.quotient(witness), witness, r, s);
        let c = self.sum_of_c(&values, &quotient, witness, r, &blinding);
        Some(Proof { a: start.a, b: start.b, c: c.add_affine(&start.a_by_s).to_affine() })
    }

    /// The number of threads for each proof at present. A proof with one thread never waits for other threads. So two
    /// simultaneous proofs with one thread each take less time than two proofs in turn with two threads each.
    fn threads(&self) -> usize {
        (self.threads / self.proofs.load(Ordering::Relaxed).max(1)).max(1)
    }

    /// The points of a proof that don't depend on the quotient. `start` and `rest` are the two halves
    /// of `prove`, for two instances that share no memory. None if the witness or `r` isn't in the field.
    pub fn start(&self, witness: &[Scalar], r: &Scalar, s: &Scalar) -> Option<Start> {
        elements(witness)?;
        Fr::from_le(r)?;
        let ((), start) = self.start_beside(|| (), witness, r, s);
        Some(start)
    }

    /// C without A times s; the other half of `prove`. None if a number isn't in the field.
    pub fn rest(&self, witness: &[Scalar], r: &Scalar) -> Option<Affine<Fq>> {
        let values = elements(witness)?;
        let blinding = Fr::from_le(r)?;
        let quotient = self.quotient(witness);
        Some(self.sum_of_c(&values, &quotient, witness, r, &blinding).to_affine())
    }

    /// Computes A, B and A times s. One of the threads first runs `first`.
    fn start_beside<Q>(
        &self,
        first: impl FnOnce() -> Q,
        witness: &[Scalar],
        r: &Scalar,
        s: &Scalar,
    ) -> (Q, Start) {
        let key = &self.key;
        let a = weigh(&key.a, witness, (&key.delta1, r), A_BITS);
        let b = weigh(&key.b2, witness, (&key.delta2, s), B_BITS);
        let (result, sums) = share(
            || self.threads(),
            first,
            a.windows() + b.windows(),
            || (Buckets::new(), Buckets::new()),
            |(of_a, of_b), job| match job.checked_sub(b.windows()) {
                // B's windows take longest. They come first, so all threads end at about the same time.
                None => Window::B(b.window(job, of_b)),
                Some(window) => Window::A(a.window(window, of_a)),
            },
        );
        let sums_of_a = sums.iter().filter_map(|sum| match sum {
            Window::A(point) => Some(*point),
            Window::B(_) => None,
        });
        let sums_of_b = sums.iter().filter_map(|sum| match sum {
            Window::B(point) => Some(*point),
            Window::A(_) => None,
        });
        let a = a.join(sums_of_a).add_affine(&key.alpha1).to_affine();
        let b = b.join(sums_of_b).add_affine(&key.beta2).to_affine();
        (result, Start { a, b, a_by_s: multiply(&a, s).to_affine() })
    }

    /// C = sum(c) + sum(h) + s A + r B1 - r s delta, with B1 = beta + sum(b1) + s delta. The two terms r s delta
    /// cancel, and all sums except s A are computed as one.
    fn sum_of_c(
        &self,
        values: &[Fr],
        quotient: &[Fr],
        witness: &[Scalar],
        r: &Scalar,
        blinding: &Fr,
    ) -> Point<Fq> {
        let key = &self.key;
        let mut points = key.c.points.clone();
        let mut scalars = pick(&key.c.signals, witness);
        points.extend_from_slice(&key.h);
        scalars.extend(quotient.iter().map(Fr::to_le));
        points.extend_from_slice(&key.b1.points);
        scalars.extend(
            key.b1.signals.iter().map(|signal| values[*signal as usize].mul(blinding).to_le()),
        );
        points.push(key.beta1);
        scalars.push(*r);
        let sum = Multiexp::new(points, &scalars, C_BITS);
        let ((), sums) = share(
            || self.threads(),
            || (),
            sum.windows(),
            Buckets::new,
            |buckets, window| sum.window(window, buckets),
        );
        sum.join(sums.into_iter())
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
            let plain = Fr::plain_from_le(&witness[*signal as usize]);
            let row = &mut values[*constraint as usize];
            *row = row.add(&value.mul(&plain));
        }
        values
    }
}

/// The numbers of a witness; `None` if one of them isn't in the field.
fn elements(witness: &[Scalar]) -> Option<Vec<Fr>> {
    witness.iter().map(Fr::from_le).collect()
}

/// A sum that isn't computed yet: a query's points weighted by the witness, plus one more point.
fn weigh<F: Field>(
    query: &Query<F>,
    witness: &[Scalar],
    (point, scalar): (&Affine<F>, &Scalar),
    bits: usize,
) -> Multiexp<F> {
    let mut points = query.points.clone();
    let mut scalars = pick(&query.signals, witness);
    points.push(*point);
    scalars.push(*scalar);
    Multiexp::new(points, &scalars, bits)
}

fn pick(signals: &[u32], witness: &[Scalar]) -> Vec<Scalar> {
    signals.iter().map(|signal| witness[*signal as usize]).collect()
}
