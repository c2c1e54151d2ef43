use alloc::vec::Vec;

use crate::buckets::Buckets;
use crate::digits::{signed_digits, windows, Scalar};
use crate::field::Field;
use crate::point::{Affine, Point};

/// The sum of `scalars[i] * points[i]`, by buckets (Pippenger's method). No point may be infinity.
/// `bits` is the width of a window: wider ones mean fewer additions and more buckets.
pub fn multiexp<F: Field>(points: &[Affine<F>], scalars: &[Scalar], bits: usize) -> Point<F> {
    let digits: Vec<i16> = signed_digits(scalars, bits);
    let mut buckets = Buckets::new(1 << (bits - 1));
    let mut sum = Point::INFINITY;
    for window in (0..windows(bits)).rev() {
        for _ in 0..bits {
            sum = sum.double();
        }
        let from = window * points.len();
        sum = sum.add(&buckets.sum(points, &digits[from..from + points.len()]));
    }
    sum
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
