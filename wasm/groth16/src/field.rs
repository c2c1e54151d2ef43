use sotto_field::Fq;

/// A field for the coordinates of points: the base field, or its quadratic extension.
pub trait Field: Copy {
    const ZERO: Self;
    const ONE: Self;
    fn mul(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    /// The difference. It may only be used as a factor of a product.
    fn difference(&self, other: &Self) -> Self;
    fn neg(&self) -> Self;
    fn is_zero(&self) -> bool;
    fn invert(&self) -> Self;
}

impl Field for Fq {
    const ZERO: Self = Fq::ZERO;
    const ONE: Self = Fq::ONE;

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        Fq::mul(self, other)
    }

    #[inline(always)]
    fn square(&self) -> Self {
        Fq::square(self)
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        Fq::add(self, other)
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        Fq::sub(self, other)
    }

    #[inline(always)]
    fn difference(&self, other: &Self) -> Self {
        Fq::difference(self, other)
    }

    fn neg(&self) -> Self {
        Fq::neg(self)
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        Fq::is_zero(self)
    }

    fn invert(&self) -> Self {
        Fq::invert(self)
    }
}

/// `c0 + c1 u` with `u^2 = -1`, the coordinates of G2.
#[derive(Clone, Copy)]
pub struct Fq2 {
    pub c0: Fq,
    pub c1: Fq,
}

impl Field for Fq2 {
    const ZERO: Self = Self { c0: Fq::ZERO, c1: Fq::ZERO };
    const ONE: Self = Self { c0: Fq::ONE, c1: Fq::ZERO };

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        let negative = Fq::ZERO.difference(&self.c1);
        Self {
            c0: Fq::dot2(&self.c0, &other.c0, &negative, &other.c1),
            c1: Fq::dot2(&self.c0, &other.c1, &self.c1, &other.c0),
        }
    }

    #[inline(always)]
    fn square(&self) -> Self {
        let product = self.c0.mul(&self.c1);
        Self { c0: self.c0.add(&self.c1).mul(&self.c0.difference(&self.c1)), c1: product.double() }
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        Self { c0: self.c0.add(&other.c0), c1: self.c1.add(&other.c1) }
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        Self { c0: self.c0.sub(&other.c0), c1: self.c1.sub(&other.c1) }
    }

    // Reduced below 2p, because a product in this field negates its first factor.
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self {
        self.sub(other)
    }

    fn neg(&self) -> Self {
        Self { c0: self.c0.neg(), c1: self.c1.neg() }
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.c0.is_zero() && self.c1.is_zero()
    }

    fn invert(&self) -> Self {
        let norm = Fq::dot2(&self.c0, &self.c0, &self.c1, &self.c1).invert();
        Self { c0: self.c0.mul(&norm), c1: self.c1.neg().mul(&norm) }
    }
}
