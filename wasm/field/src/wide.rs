//! Numbers in four limbs of 64 bits, in Montgomery form with R = 2^256, kept below 2p.
//!
//! With p < 0.19 R, the result is below 2p for a product of two such numbers, and below 4p for a
//! sum of two products. No limb of a sum overflows, because the columns stay below 5p, and 5p < R.

use core::marker::PhantomData;

const LIMBS: usize = 4;
/// A number below 2^256, lowest limb first.
type Limbs = [u64; LIMBS];

/// A prime below 2^254, with the constants that follow from it.
pub trait Modulus: Copy + Send + Sync {
    /// The prime.
    const P: Limbs;
    /// The prime in four words, lowest first.
    const WORDS: [u64; 4] = Self::P;
    /// Twice the prime. Every stored number is below it.
    const P2: Limbs = double(Self::P);
    /// `-1 / p` modulo 2^64.
    const NEGATIVE_INVERSE: u64 = negative_inverse(Self::P[0]);
    /// 2^256 modulo p, which is one in Montgomery form.
    const ONE: Limbs = power_of_two(Self::P, 256);
    /// 2^512 modulo p. A product with it converts a plain number to Montgomery form.
    const R2: Limbs = power_of_two(Self::P, 512);
}

/// The field of the points' coordinates.
#[derive(Clone, Copy)]
pub struct BaseField;

impl Modulus for BaseField {
    const P: Limbs =
        [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];
}

/// The field of the circuit.
#[derive(Clone, Copy)]
pub struct ScalarField;

impl Modulus for ScalarField {
    const P: Limbs =
        [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];
}

const fn double(a: Limbs) -> Limbs {
    let mut doubled = [0; LIMBS];
    let mut carry = 0;
    let mut index = 0;
    while index < LIMBS {
        doubled[index] = a[index] << 1 | carry;
        carry = a[index] >> 63;
        index += 1;
    }
    doubled
}

/// `a - b` and whether `b` was greater.
#[inline(always)]
const fn subtract(a: Limbs, b: Limbs) -> (Limbs, bool) {
    let mut difference = [0; LIMBS];
    let mut borrow = false;
    let mut index = 0;
    while index < LIMBS {
        let (partial, first) = a[index].overflowing_sub(b[index]);
        let (limb, second) = partial.overflowing_sub(borrow as u64);
        difference[index] = limb;
        borrow = first | second;
        index += 1;
    }
    (difference, borrow)
}

/// `-1 / p` modulo 2^64, by Newton's iteration. Each step doubles the number of correct bits.
const fn negative_inverse(p: u64) -> u64 {
    let mut inverse = 1u64;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
        step += 1;
    }
    inverse.wrapping_neg()
}

/// 2^exponent modulo p.
const fn power_of_two(p: Limbs, exponent: u32) -> Limbs {
    let mut power = [1, 0, 0, 0];
    let mut step = 0;
    while step < exponent {
        let doubled = double(power);
        let (reduced, is_below) = subtract(doubled, p);
        power = if is_below { doubled } else { reduced };
        step += 1;
    }
    power
}

/// A number modulo `M`'s prime in Montgomery form, below 2p. One value may have two forms.
#[derive(Clone, Copy)]
pub struct Element<M> {
    limbs: Limbs,
    modulus: PhantomData<M>,
}

/// The low and the high half of `a + b * c + carry`.
#[inline(always)]
fn multiply_add(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let sum = a as u128 + b as u128 * c as u128 + carry as u128;
    (sum as u64, (sum >> 64) as u64)
}

/// Reduces a number below 4p to a number below 2p.
#[inline(always)]
fn reduce<M: Modulus>(a: Limbs) -> Limbs {
    let (reduced, is_below) = subtract(a, M::P2);
    // All bits of `keep` are 1 if the number was below 2p. The number then stays unchanged.
    let keep = (is_below as u64).wrapping_neg();
    core::array::from_fn(|index| reduced[index] ^ ((reduced[index] ^ a[index]) & keep))
}

/// `a * b / R`, below 2p.
#[inline(always)]
fn product<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let mut columns = [0u64; LIMBS];
    for factor in a {
        let (lowest, mut carry) = multiply_add(columns[0], *factor, b[0], 0);
        let quotient = lowest.wrapping_mul(M::NEGATIVE_INVERSE);
        let (_, mut reduction) = multiply_add(lowest, quotient, M::P[0], 0);
        for column in 1..LIMBS {
            let (sum, high) = multiply_add(columns[column], *factor, b[column], carry);
            carry = high;
            let (limb, high) = multiply_add(sum, quotient, M::P[column], reduction);
            reduction = high;
            columns[column - 1] = limb;
        }
        columns[LIMBS - 1] = carry + reduction;
    }
    columns
}

/// `(a * b + c * d) / R`, below 4p, with one reduction.
#[inline(always)]
fn two_products<M: Modulus>(a: &Limbs, b: &Limbs, c: &Limbs, d: &Limbs) -> Limbs {
    let mut columns = [0u64; LIMBS];
    for (first, second) in a.iter().zip(c) {
        let (sum, mut carry) = multiply_add(columns[0], *first, b[0], 0);
        let (lowest, mut second_carry) = multiply_add(sum, *second, d[0], 0);
        let quotient = lowest.wrapping_mul(M::NEGATIVE_INVERSE);
        let (_, mut reduction) = multiply_add(lowest, quotient, M::P[0], 0);
        for column in 1..LIMBS {
            let (sum, high) = multiply_add(columns[column], *first, b[column], carry);
            carry = high;
            let (sum, high) = multiply_add(sum, *second, d[column], second_carry);
            second_carry = high;
            let (limb, high) = multiply_add(sum, quotient, M::P[column], reduction);
            reduction = high;
            columns[column - 1] = limb;
        }
        columns[LIMBS - 1] = carry + second_carry + reduction;
    }
    columns
}

impl<M: Modulus> Element<M> {
    pub const ZERO: Self = Self::from_raw([0; LIMBS]);
    pub const ONE: Self = Self::from_raw(M::ONE);

    const fn from_raw(limbs: Limbs) -> Self {
        Self { limbs, modulus: PhantomData }
    }

    #[inline(always)]
    pub fn mul(&self, other: &Self) -> Self {
        Self::from_raw(product::<M>(&self.limbs, &other.limbs))
    }

    #[inline(always)]
    pub fn square(&self) -> Self {
        self.mul(self)
    }

    /// `a * b + c * d` with one reduction.
    #[inline(always)]
    pub fn dot2(a: &Self, b: &Self, c: &Self, d: &Self) -> Self {
        let sum = two_products::<M>(&a.limbs, &b.limbs, &c.limbs, &d.limbs);
        Self::from_raw(reduce::<M>(sum))
    }

    #[inline(always)]
    pub fn add(&self, other: &Self) -> Self {
        let mut limbs = [0; LIMBS];
        let mut carry = 0u128;
        for (index, limb) in limbs.iter_mut().enumerate() {
            carry += self.limbs[index] as u128 + other.limbs[index] as u128;
            *limb = carry as u64;
            carry >>= 64;
        }
        Self::from_raw(reduce::<M>(limbs))
    }

    #[inline(always)]
    pub fn sub(&self, other: &Self) -> Self {
        let (difference, is_negative) = subtract(self.limbs, other.limbs);
        let mask = (is_negative as u64).wrapping_neg();
        let mut limbs = [0; LIMBS];
        let mut carry = 0u128;
        for (index, limb) in limbs.iter_mut().enumerate() {
            carry += difference[index] as u128 + (M::P2[index] & mask) as u128;
            *limb = carry as u64;
            carry >>= 64;
        }
        Self::from_raw(limbs)
    }

    #[inline(always)]
    pub fn double(&self) -> Self {
        self.add(self)
    }

    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// A difference that is used as a factor. It is reduced to below 2p, because skipping the reduction saves no time.
    #[inline(always)]
    pub fn difference(&self, other: &Self) -> Self {
        self.sub(other)
    }

    #[inline(always)]
    pub fn is_zero(&self) -> bool {
        self.limbs == [0; LIMBS] || self.limbs == M::P
    }

    /// A plain number below 2^256, unchanged. It may only be used as a factor for the elements of `from_entry`.
    pub fn plain_from_le(bytes: &[u8; 32]) -> Self {
        Self::from_raw(limbs_from_le(bytes))
    }

    /// Reads a number that snarkjs wrote in Montgomery form, multiplied by 2^256. This form is the same as ours.
    pub fn from_snarkjs(bytes: &[u8; 32]) -> Self {
        Self::from_raw(limbs_from_le(bytes))
    }

    /// Reads a matrix entry, which snarkjs wrote multiplied by 2^512. Its product with a plain
    /// number is an element.
    pub fn from_entry(bytes: &[u8; 32]) -> Self {
        Self::from_raw(limbs_from_le(bytes))
    }

    /// Reads 32 little-endian bytes; `None` if the number isn't below p.
    pub fn from_le(bytes: &[u8; 32]) -> Option<Self> {
        let limbs = limbs_from_le(bytes);
        let (_, is_below) = subtract(limbs, M::P);
        is_below.then(|| Self::from_any_le(bytes))
    }

    /// Reads any 32 little-endian bytes, modulo p.
    pub fn from_any_le(bytes: &[u8; 32]) -> Self {
        Self::from_raw(product::<M>(&limbs_from_le(bytes), &M::R2))
    }

    /// Writes 32 little-endian bytes.
    pub fn to_le(&self) -> [u8; 32] {
        let plain = product::<M>(&self.limbs, &[1, 0, 0, 0]);
        let (reduced, is_below) = subtract(plain, M::P);
        let limbs = if is_below { plain } else { reduced };
        let mut bytes = [0; 32];
        for (eight, limb) in bytes.chunks_exact_mut(8).zip(limbs) {
            eight.copy_from_slice(&limb.to_le_bytes());
        }
        bytes
    }
}

fn limbs_from_le(bytes: &[u8; 32]) -> Limbs {
    core::array::from_fn(|index| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[8 * index..8 * index + 8]);
        u64::from_le_bytes(eight)
    })
}
