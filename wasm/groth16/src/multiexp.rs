use alloc::vec::Vec;

use crate::buckets::Buckets;
use crate::digits::{signed_digits, windows, Scalar};
use crate::field::Field;
use crate::point::{Affine, Point};

/// A sum of `scalars[i] * points[i]`, computed by windows in any order (Pippenger's method).
pub struct Multiexp<F> {
    points: Vec<Affine<F>>,
    digits: Vec<i16>,
    bits: usize,
}

impl<F: Field> Multiexp<F> {
    /// No point may be the point at infinity. `bits` is the width of a window: wider windows mean
    /// fewer additions and more buckets.
    pub fn new(points: Vec<Affine<F>>, scalars: &[Scalar], bits: usize) -> Self {
        Self { points, digits: signed_digits(scalars, bits), bits }
    }

    /// The number of windows.
    pub fn windows(&self) -> usize {
        windows(self.bits)
    }

    /// The sum of one window: of each point times its digit in this window.
    pub fn window(&self, window: usize, buckets: &mut Buckets<F>) -> Point<F> {
        let from = window * self.points.len();
        let digits = &self.digits[from..from + self.points.len()];
        buckets.sum(1 << (self.bits - 1), &self.points, digits)
    }

    /// The whole sum, computed from the sums of all windows, the lowest window first.
    pub fn join(&self, sums: impl DoubleEndedIterator<Item = Point<F>>) -> Point<F> {
        sums.rev().fold(Point::INFINITY, |joined, sum| {
            (0..self.bits).fold(joined, |point, _| point.double()).add(&sum)
        })
    }
}

/// `scalar * point`, bit by bit.
pub fn multiply<F: Field>(point: &Affine<F>, scalar: &Scalar) -> Point<F> {
    let mut product = Point::INFINITY;
    for bit in (0..256).rev() {
        product = product.double();
        if scalar[bit / 8] >> (bit % 8) & 1 == 1 {
            product = product.add_affine(point);
        }
    }
    product
}
