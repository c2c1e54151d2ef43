import { FIELD_MODULUS } from '../field.ts'

/** A point of BabyJubJub, both coordinates elements of the field of BN254. */
export interface Point {
  readonly x: bigint
  readonly y: bigint
}

/** The curve's constants: A x^2 + y^2 = 1 + D x^2 y^2, as circomlib has it. */
const A = 168_700n
const D = 168_696n
/** The curve has eight times a prime number of points: three doublings leave the subgroup of that order. */
const DOUBLINGS = 3

const isElement = (value: bigint) => value >= 0n && value < FIELD_MODULUS
const modulo = (value: bigint) => ((value % FIELD_MODULUS) + FIELD_MODULUS) % FIELD_MODULUS

/** The inverse of an element other than 0, by Euclid's algorithm. */
function inverse(value: bigint): bigint {
  let [rest, next] = [FIELD_MODULUS, modulo(value)]
  let [factor, nextFactor] = [0n, 1n]
  while (next !== 0n) {
    const quotient = rest / next
    ;[rest, next] = [next, rest - quotient * next]
    ;[factor, nextFactor] = [nextFactor, factor - quotient * nextFactor]
  }
  return modulo(factor)
}

function double({ x, y }: Point): Point {
  const product = modulo(D * modulo(x * x) * modulo(y * y))
  return {
    x: modulo(2n * x * y * inverse(1n + product)),
    y: modulo((y * y - A * x * x) * inverse(1n - product)),
  }
}

/** True for a point of BabyJubJub. */
export function isOnCurve({ x, y }: Point): boolean {
  if (!isElement(x) || !isElement(y)) return false
  return modulo(A * x * x + y * y - 1n - D * modulo(x * x) * modulo(y * y)) === 0n
}

/**
 * Refuses a key that could never sign for its balance, or for which others could: off the curve, the
 * identity, or of small order. A note with such a key can still be refunded.
 * @throws RangeError.
 */
export function assertOwner(owner: Point): void {
  if (!isOnCurve(owner)) throw new RangeError('the owner is no point of the curve')
  let point = owner
  for (let times = 0; times < DOUBLINGS; times += 1) point = double(point)
  if (point.x === 0n) throw new RangeError('the owner is a point of small order')
}
