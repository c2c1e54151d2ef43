use crate::field::Field;

/// A point by its coordinates. The point at infinity is (0, 0), which is on neither curve.
#[derive(Clone, Copy)]
pub struct Affine<F> {
    pub x: F,
    pub y: F,
}

impl<F: Field> Affine<F> {
    pub const INFINITY: Self = Self { x: F::ZERO, y: F::ZERO };

    pub fn is_infinity(&self) -> bool {
        self.x.is_zero() && self.y.is_zero()
    }

    pub fn neg(&self) -> Self {
        Self { x: self.x, y: self.y.neg() }
    }
}

/// A point as (X / ZZ, Y / ZZZ) with ZZ^3 = ZZZ^2, so that adding needs no inverse. ZZ = 0 is the point at infinity.
/// The formulas come from the Explicit-Formulas Database for XYZZ coordinates with a = 0.
#[derive(Clone, Copy)]
pub struct Point<F> {
    x: F,
    y: F,
    zz: F,
    zzz: F,
}

impl<F: Field> Point<F> {
    pub const INFINITY: Self = Self { x: F::ZERO, y: F::ZERO, zz: F::ZERO, zzz: F::ZERO };

    pub fn from_affine(point: &Affine<F>) -> Self {
        if point.is_infinity() {
            return Self::INFINITY;
        }
        Self { x: point.x, y: point.y, zz: F::ONE, zzz: F::ONE }
    }

    pub fn to_affine(self) -> Affine<F> {
        let inverse = self.zzz.invert();
        // The product is 1 / Z, because ZZ / ZZZ = 1 / Z.
        let by_z = self.zz.mul(&inverse);
        Affine { x: self.x.mul(&by_z.square()), y: self.y.mul(&inverse) }
    }

    /// The formula "dbl-2008-s-1".
    pub fn double(&self) -> Self {
        let u = self.y.add(&self.y);
        let v = u.square();
        let w = u.mul(&v);
        let s = self.x.mul(&v);
        let squared = self.x.square();
        let m = squared.add(&squared).add(&squared);
        let x = m.square().sub(&s).sub(&s);
        let y = m.mul(&s.sub(&x)).sub(&w.mul(&self.y));
        Self { x, y, zz: v.mul(&self.zz), zzz: w.mul(&self.zzz) }
    }

    /// The formula "add-2008-s", with the cases that it doesn't cover.
    pub fn add(&self, other: &Self) -> Self {
        if self.zz.is_zero() {
            return *other;
        }
        if other.zz.is_zero() {
            return *self;
        }
        let u1 = self.x.mul(&other.zz);
        let s1 = self.y.mul(&other.zzz);
        let p = other.x.mul(&self.zz).sub(&u1);
        let r = other.y.mul(&self.zzz).sub(&s1);
        if p.is_zero() {
            return if r.is_zero() { self.double() } else { Self::INFINITY };
        }
        let pp = p.square();
        let ppp = p.mul(&pp);
        let q = u1.mul(&pp);
        let x = r.square().sub(&ppp).sub(&q).sub(&q);
        Self {
            x,
            y: r.mul(&q.sub(&x)).sub(&s1.mul(&ppp)),
            zz: self.zz.mul(&other.zz).mul(&pp),
            zzz: self.zzz.mul(&other.zzz).mul(&ppp),
        }
    }

    /// The formula "madd-2008-s", with the cases that it doesn't cover.
    pub fn add_affine(&self, other: &Affine<F>) -> Self {
        if other.is_infinity() {
            return *self;
        }
        if self.zz.is_zero() {
            return Self::from_affine(other);
        }
        let p = other.x.mul(&self.zz).sub(&self.x);
        let r = other.y.mul(&self.zzz).sub(&self.y);
        if p.is_zero() {
            return if r.is_zero() { self.double() } else { Self::INFINITY };
        }
        let pp = p.square();
        let ppp = p.mul(&pp);
        let q = self.x.mul(&pp);
        let x = r.square().sub(&ppp).sub(&q).sub(&q);
        Self {
            x,
            y: r.mul(&q.sub(&x)).sub(&self.y.mul(&ppp)),
            zz: self.zz.mul(&pp),
            zzz: self.zzz.mul(&ppp),
        }
    }
}
