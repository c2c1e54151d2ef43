use alloc::vec::Vec;

use crate::field::Field;
use crate::point::{Affine, Point};

/// Two neighbouring points of one bucket, which become one point.
struct Pair<F> {
    /// Position of the pair's first point, and of the sum.
    first: usize,
    into: usize,
    /// The slope of the line through both points, or of the tangent if they are equal, as a fraction.
    numerator: F,
    denominator: F,
    /// The product of all earlier denominators.
    product: F,
}

/// Sums the points of each bucket. All additions of one pass share one inverse. So a sum needs five products and a
/// square, while `Point::add` needs twelve products and two squares.
pub struct Buckets<F> {
    points: Vec<Affine<F>>,
    spare: Vec<Affine<F>>,
    sizes: Vec<u32>,
    pairs: Vec<Pair<F>>,
}

impl<F: Field> Buckets<F> {
    pub fn new() -> Self {
        Self { points: Vec::new(), spare: Vec::new(), sizes: Vec::new(), pairs: Vec::new() }
    }

    /// Multiplies each bucket's sum by the bucket's number, and adds all of them. Point `i` belongs to bucket
    /// `|digits[i]|`, and is negated if the digit is negative.
    pub fn sum(&mut self, count: usize, points: &[Affine<F>], digits: &[i16]) -> Point<F> {
        self.sizes.resize(count, 0);
        self.sort(points, digits);
        while self.sizes.iter().any(|size| *size > 1) {
            self.halve();
        }
        let mut running = Point::INFINITY;
        let mut total = Point::INFINITY;
        let mut end = self.points.len();
        for size in self.sizes.iter().rev() {
            if *size == 1 {
                end -= 1;
                running = running.add_affine(&self.points[end]);
            }
            total = total.add(&running);
        }
        total
    }

    /// Sorts the points by bucket. Points with digit 0 are left out.
    fn sort(&mut self, points: &[Affine<F>], digits: &[i16]) {
        self.sizes.fill(0);
        for digit in digits.iter().filter(|digit| **digit != 0) {
            self.sizes[digit.unsigned_abs() as usize - 1] += 1;
        }
        let mut total = 0;
        let mut next: Vec<u32> = Vec::with_capacity(self.sizes.len());
        for size in &self.sizes {
            next.push(total);
            total += size;
        }
        self.points.clear();
        self.points.resize(total as usize, Affine::INFINITY);
        for (point, digit) in points.iter().zip(digits).filter(|(_, digit)| **digit != 0) {
            let slot = &mut next[digit.unsigned_abs() as usize - 1];
            self.points[*slot as usize] = if *digit < 0 { point.neg() } else { *point };
            *slot += 1;
        }
    }

    /// Adds pairs of neighbours. Afterwards, every bucket has at most half as many points, rounded up.
    fn halve(&mut self) {
        self.spare.clear();
        self.spare.resize(self.points.len(), Affine::INFINITY);
        self.pairs.clear();
        let (mut from, mut into) = (0, 0);
        let mut product = F::ONE;
        for bucket in 0..self.sizes.len() {
            let mut left = self.sizes[bucket] as usize;
            let start = into;
            while left > 0 {
                if left == 1 {
                    self.spare[into] = self.points[from];
                    from += 1;
                    into += 1;
                    break;
                }
                product = self.pair(from, &mut into, product);
                from += 2;
                left -= 2;
            }
            self.sizes[bucket] = (into - start) as u32;
        }
        let mut inverse = product.invert();
        for Pair { first, into, numerator, denominator, product } in self.pairs.iter().rev() {
            let slope = numerator.mul(&inverse.mul(product));
            inverse = inverse.mul(denominator);
            let (a, b) = (&self.points[*first], &self.points[*first + 1]);
            let x = slope.square().sub(&a.x).sub(&b.x);
            let y = slope.mul(&a.x.difference(&x)).sub(&a.y);
            self.spare[*into] = Affine { x, y };
        }
        self.spare.truncate(into);
        core::mem::swap(&mut self.points, &mut self.spare);
    }

    /// Prepares the sum of two neighbours; returns the product of all denominators so far. A sum
    /// that is the point at infinity is left out.
    fn pair(&mut self, first: usize, into: &mut usize, product: F) -> F {
        let (a, b) = (&self.points[first], &self.points[first + 1]);
        let mut denominator = b.x.difference(&a.x);
        let mut numerator = b.y.difference(&a.y);
        if denominator.is_zero() {
            if !numerator.is_zero() || a.y.is_zero() {
                return product;
            }
            let squared = a.x.square();
            numerator = squared.add(&squared).add(&squared);
            denominator = a.y.add(&a.y);
        }
        self.pairs.push(Pair { first, into: *into, numerator, denominator, product });
        *into += 1;
        product.mul(&denominator)
    }
}
