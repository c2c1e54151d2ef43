/** The field of edwards25519 (RFC 8032). */
export const CURVE_PRIME = 2n ** 255n - 19n

const LIMB_BITS = 26
const LIMB = 2 ** LIMB_BITS
/** Ten limbs hold 260 bits. */
const LIMBS = 10

const PRIME_LIMBS = new Int32Array(LIMBS)
write(PRIME_LIMBS, CURVE_PRIME)
/** The two numbers of the calculation, least significant limb first. Only the most significant limb can be negative. */
const [top, bottom] = [new Int32Array(LIMBS), new Int32Array(LIMBS)]

function write(limbs: Int32Array, value: bigint): void {
  let rest = value
  for (let at = 0; at < LIMBS; at += 2) {
    const two = Number(BigInt.asUintN(2 * LIMB_BITS, rest))
    limbs[at] = two % LIMB
    limbs[at + 1] = Math.floor(two / LIMB)
    rest >>= BigInt(2 * LIMB_BITS)
  }
}

/** The number as a double, which keeps its most significant 52 bits. */
function rounded(limbs: Int32Array): number {
  let value = 0
  for (let at = LIMBS - 1; at >= 0; at -= 1) value = value * LIMB + (limbs[at] ?? 0)
  return value
}

const lowWord = (limbs: Int32Array): number => (limbs[0] ?? 0) | ((limbs[1] ?? 0) << LIMB_BITS)

function negate(limbs: Int32Array): void {
  let carry = 0
  for (let at = 0; at < LIMBS - 1; at += 1) {
    const value = carry - (limbs[at] ?? 0)
    limbs[at] = value & (LIMB - 1)
    carry = value >> LIMB_BITS
  }
  limbs[LIMBS - 1] = carry - (limbs[LIMBS - 1] ?? 0)
}

/**
 * Replaces `top` by (a top + b bottom) / 2^26 and `bottom` by (c top + d bottom) / 2^26, which are whole numbers. |a| +
 * |b| and |c| + |d| are at most 2^26, so that every sum is exact in a double.
 */
function combine(a: number, b: number, c: number, d: number): void {
  let first = 0
  let second = 0
  for (let at = 0; at < LIMBS; at += 1) {
    const one = top[at] ?? 0
    const other = bottom[at] ?? 0
    first += a * one + b * other
    second += c * one + d * other
    const firstCarry = Math.floor(first / LIMB)
    const secondCarry = Math.floor(second / LIMB)
    if (at > 0) {
      // The lowest limb of each result is zero. Leaving it out divides the result by 2^26.
      top[at - 1] = first - firstCarry * LIMB
      bottom[at - 1] = second - secondCarry * LIMB
    }
    first = firstCarry
    second = secondCarry
  }
  top[LIMBS - 1] = first
  bottom[LIMBS - 1] = second
}

/** The bit that collects the changes of sign during the calculation: 2 means that the symbol is negative. */
const NEGATIVE = 2

/**
 * Takes 26 steps, and returns the changes of sign in the bit `NEGATIVE`. Each step halves `top`. If `top` is odd, the
 * step first swaps the numbers if `top` is the smaller one, and then subtracts `bottom` from `top`. The rounded values
 * show which number is smaller, and the lowest bit shows whether `top` is odd. The limbs are changed only at the end.
 * If the rounded values were almost equal, one of the two numbers can be negative afterwards.
 */
function takeSteps(roundedTop: number): number {
  let high = roundedTop
  let otherHigh = rounded(bottom)
  let low = lowWord(top)
  let otherLow = lowWord(bottom)
  let a = 1
  let b = 0
  let c = 0
  let d = 1
  let sign = 0
  for (let step = 0; step < LIMB_BITS; step += 1) {
    if ((low & 1) === 1) {
      if (high < otherHigh) {
        // By quadratic reciprocity, the symbol changes its sign if both numbers are 3 modulo 4.
        sign ^= low & otherLow
        // Creating an array for each swap would double the time.
        let kept = high
        high = otherHigh
        otherHigh = kept
        kept = low
        low = otherLow
        otherLow = kept
        kept = a
        a = c
        c = kept
        kept = b
        b = d
        d = kept
      }
      high -= otherHigh
      low = (low - otherLow) | 0
      a -= c
      b -= d
    }
    high /= 2
    low >>= 1
    c *= 2
    d *= 2
    // (2 / n) is -1 if n is 3 or 5 modulo 8. For these n, the third-lowest bit of n + 2 is set.
    sign ^= (otherLow + 2) >> 1
  }
  combine(a, b, c, d)
  return sign & NEGATIVE
}

/**
 * The Legendre symbol (value / p) for 0 <= value < p: 1 for a square, -1 for a non-square, 0 for 0. The function uses
 * the binary algorithm for Jacobi's symbol. It computes 26 steps at a time with small numbers, as in Thomas Pornin's
 * "Optimized Binary GCD for Modular Inversion". Euclid's algorithm with bigints takes three times as long.
 */
export function legendre(value: bigint): number {
  write(top, value)
  bottom.set(PRIME_LIMBS)
  let sign = 0
  for (let high = rounded(top); high !== 0; high = rounded(top)) {
    sign ^= takeSteps(high)
    // At most one of the two numbers is negative. The rules in `takeSteps` are also valid for a negative number.
    if ((top[LIMBS - 1] ?? 0) < 0) {
      negate(top)
      // (-1 / n) is -1 if n is 3 modulo 4.
      sign ^= (bottom[0] ?? 0) & NEGATIVE
    }
    if ((bottom[LIMBS - 1] ?? 0) < 0) negate(bottom)
  }
  if (rounded(bottom) !== 1) return 0
  return sign === NEGATIVE ? -1 : 1
}
