//! Inverses by Bernstein and Yang's division steps ("Fast constant-time gcd computation and modular
//! inversion"), thirty steps at a time.
//!
//! f starts as the prime and g as the number. A step halves g, or replaces g by half of f + g or of g - f. At the end,
//! g is zero and f is 1 or -1. Thirty steps depend only on the lowest 30 bits, so the code first collects them in a
//! matrix of small numbers. It then applies the matrix to f and g, and also, modulo the prime, to d and e. Modulo the
//! prime, f = d * number and g = e * number are always true. The running time depends on the number.

use crate::{Element, Modulus};

const LIMBS: usize = 9;
const BITS: u32 = 30;
const MASK: i32 = (1 << BITS) - 1;

/// A number in limbs of 30 bits, lowest first. The highest limb has the sign.
type Signed = [i32; LIMBS];

/// The effect of thirty steps, times 2^30: f becomes `u f + v g`, and g becomes `q f + r g`.
struct Steps {
    u: i32,
    v: i32,
    q: i32,
    r: i32,
}

/// Splits four words of 64 bits, lowest first.
const fn split(words: [u64; 4]) -> Signed {
    let mut limbs = [0; LIMBS];
    let mut index = 0;
    while index < LIMBS {
        let bit = index as u32 * BITS;
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let mut value = words[word] >> shift;
        if shift + BITS > 64 && word < 3 {
            value |= words[word + 1] << (64 - shift);
        }
        limbs[index] = value as i32 & MASK;
        index += 1;
    }
    limbs
}

/// Joins limbs of a number between 0 and 2^256.
fn join(limbs: &Signed) -> [u64; 4] {
    let mut words = [0; 4];
    for (index, limb) in limbs.iter().enumerate() {
        let bit = index as u32 * BITS;
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        words[word] |= (*limb as u64) << shift;
        if shift + BITS > 64 && word < 3 {
            words[word + 1] |= *limb as u64 >> (64 - shift);
        }
    }
    words
}

/// `1 / p` modulo 2^30, by Newton's iteration. Each step doubles the number of correct bits.
const fn inverse_of_lowest(p: i32) -> i32 {
    let mut inverse = 1i32;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2i32.wrapping_sub(p.wrapping_mul(inverse)));
        step += 1;
    }
    inverse & MASK
}

/// Thirty steps for the lowest bits of f and g. Each halving of g lowers `eta`; f and g swap when `eta` is negative.
fn thirty_steps(eta: &mut i32, f: i32, g: i32) -> Steps {
    let (mut f, mut g) = (f as u32, g as u32);
    let (mut u, mut v, mut q, mut r) = (1u32, 0u32, 0u32, 1u32);
    let mut left = BITS;
    loop {
        // The mask ends the count of zeros when no steps are left.
        let zeros = (g | u32::MAX << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        *eta -= zeros as i32;
        left -= zeros;
        if left == 0 {
            return Steps { u: u as i32, v: v as i32, q: q as i32, r: r as i32 };
        }
        if *eta < 0 {
            *eta = -*eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
        }
        // The multiple of f that makes the lowest bits of g zero: six bits, or fewer if the next
        // swap comes earlier. For an odd f, f * (f * f - 2) is -1 / f modulo 2^6.
        let bits = (*eta as u32 + 1).min(left).min(6);
        let inverse = f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2));
        let multiple = g.wrapping_mul(inverse) & ((1 << bits) - 1);
        g = g.wrapping_add(f.wrapping_mul(multiple));
        q = q.wrapping_add(u.wrapping_mul(multiple));
        r = r.wrapping_add(v.wrapping_mul(multiple));
    }
}

/// Applies steps to f and g. Both are divisible by 2^30 afterwards, and are divided by it.
fn apply(f: &mut Signed, g: &mut Signed, steps: &Steps) {
    let [u, v, q, r] = [steps.u, steps.v, steps.q, steps.r].map(i64::from);
    let (mut first, mut second) = (0i64, 0i64);
    for index in 0..LIMBS {
        let (old_f, old_g) = (f[index] as i64, g[index] as i64);
        first += u * old_f + v * old_g;
        second += q * old_f + r * old_g;
        if index > 0 {
            f[index - 1] = first as i32 & MASK;
            g[index - 1] = second as i32 & MASK;
        }
        first >>= BITS;
        second >>= BITS;
    }
    (f[LIMBS - 1], g[LIMBS - 1]) = (first as i32, second as i32);
}

/// Applies steps to d and e modulo the prime, both between -2p and p before and afterwards.
fn apply_modulo(d: &mut Signed, e: &mut Signed, steps: &Steps, p: &Signed, p_inverse: i32) {
    let (sign_d, sign_e) = (d[LIMBS - 1] >> 31, e[LIMBS - 1] >> 31);
    // The multiples of p to add: first those that make negative numbers positive, then those that
    // make the sums divisible by 2^30.
    let mut multiple_d = (steps.u & sign_d).wrapping_add(steps.v & sign_e);
    let mut multiple_e = (steps.q & sign_d).wrapping_add(steps.r & sign_e);
    let [u, v, q, r] = [steps.u, steps.v, steps.q, steps.r].map(i64::from);
    let lowest = |sum: i64, multiple: i32| {
        multiple - (p_inverse.wrapping_mul(sum as i32).wrapping_add(multiple) & MASK)
    };
    multiple_d = lowest(u * d[0] as i64 + v * e[0] as i64, multiple_d);
    multiple_e = lowest(q * d[0] as i64 + r * e[0] as i64, multiple_e);
    let (mut first, mut second) = (0i64, 0i64);
    for index in 0..LIMBS {
        let (old_d, old_e, p) = (d[index] as i64, e[index] as i64, p[index] as i64);
        first += u * old_d + v * old_e + p * multiple_d as i64;
        second += q * old_d + r * old_e + p * multiple_e as i64;
        if index > 0 {
            d[index - 1] = first as i32 & MASK;
            e[index - 1] = second as i32 & MASK;
        }
        first >>= BITS;
        second >>= BITS;
    }
    (d[LIMBS - 1], e[LIMBS - 1]) = (first as i32, second as i32);
}

/// `sign * d` between 0 and p, for a d between -2p and p and a sign of 1 or -1.
fn normalise(d: &Signed, p: &Signed, sign: i32) -> Signed {
    let add_if_negative = |d: &Signed| -> Signed {
        let add = d[LIMBS - 1] >> 31;
        core::array::from_fn(|index| d[index] + (p[index] & add))
    };
    let carry = |d: Signed| {
        let mut limbs = d;
        for index in 1..LIMBS {
            limbs[index] += limbs[index - 1] >> BITS;
            limbs[index - 1] &= MASK;
        }
        limbs
    };
    let signed = carry(add_if_negative(d).map(|limb| limb * sign));
    carry(add_if_negative(&signed))
}

/// The inverse of a number below p, as four words, lowest first. The inverse of zero is zero.
fn invert<M: Modulus>(number: [u64; 4]) -> [u64; 4] {
    let p = const { split(M::WORDS) };
    let p_inverse = const { inverse_of_lowest(split(M::WORDS)[0]) };
    let (mut f, mut g) = (p, split(number));
    let (mut d, mut e) = ([0; LIMBS], [0; LIMBS]);
    e[0] = 1;
    let mut eta = -1;
    while g != [0; LIMBS] {
        let steps = thirty_steps(&mut eta, f[0], g[0]);
        apply_modulo(&mut d, &mut e, &steps, &p, p_inverse);
        apply(&mut f, &mut g, &steps);
    }
    let sign = if f[LIMBS - 1] < 0 { -1 } else { 1 };
    join(&normalise(&d, &p, sign))
}

impl<M: Modulus> Element<M> {
    /// The inverse. The inverse of zero is zero.
    pub fn invert(&self) -> Self {
        let bytes = self.to_le();
        let words = core::array::from_fn(|index| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[8 * index..8 * index + 8]);
            u64::from_le_bytes(eight)
        });
        let mut inverse = [0; 32];
        for (eight, word) in inverse.chunks_exact_mut(8).zip(invert::<M>(words)) {
            eight.copy_from_slice(&word.to_le_bytes());
        }
        Self::from_any_le(&inverse)
    }
}
