import { bigintFromBytes, FIELD_MODULUS, fieldToBytes } from '../field.ts'

/** A point of BabyJubJub, both coordinates elements of the field of BN254. */
export interface Point {
  readonly x: bigint
  readonly y: bigint
}

/** The constants of the curve A x^2 + y^2 = 1 + D x^2 y^2, in circomlib's form. */
const A = 168_700n
const D = 168_696n
/**
 * The curve has 8 times a prime number of points, so three doublings map any point into the subgroup of prime order.
 */
const DOUBLINGS = 3

const isElement = (value: bigint) => value >= 0n && value < FIELD_MODULUS
const modulo = (value: bigint) => ((value % FIELD_MODULUS) + FIELD_MODULUS) % FIELD_MODULUS

/** The inverse of a field element other than 0, by Euclid's algorithm. */
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

/** A point in projective coordinates: its affine coordinates are `x / z` and `y / z`. Doubling it needs no division. */
interface ScaledPoint extends Point {
  /** Never 0. */
  readonly z: bigint
}

/** Doubles a point of the curve. No denominator is 0, because the curve's constant A is a square and D isn't. */
function double({ x, y, z }: ScaledPoint): ScaledPoint {
  const [ax2, y2] = [modulo(A * x * x), modulo(y * y)]
  const sum = ax2 + y2
  const rest = sum - 2n * modulo(z * z)
  return {
    x: modulo(modulo(2n * x * y) * rest),
    y: modulo(sum * (ax2 - y2)),
    z: modulo(sum * rest),
  }
}

/** True for a point of BabyJubJub. */
export function isOnCurve({ x, y }: Point): boolean {
  if (!isElement(x) || !isElement(y)) return false
  return modulo(A * x * x + y * y - 1n - D * modulo(x * x) * modulo(y * y)) === 0n
}

/**
 * Refuses a key that isn't on the curve, and a key that is the identity or a point of small order. With such a key,
 * either no one could sign the balance's payments, or other people could sign too. A note with such a key can still be
 * refunded.
 * @throws RangeError.
 */
export function assertOwner(owner: Point): void {
  if (!isOnCurve(owner)) throw new RangeError('the owner is not a point on the curve')
  let point: ScaledPoint = { ...owner, z: 1n }
  for (let times = 0; times < DOUBLINGS; times += 1) point = double(point)
  if (point.x === 0n) throw new RangeError('the owner is a point of small order')
}

const PACKED_BYTES = 32
/** This bit is set in the last packed byte if x is in the upper half of the field. */
const SIGN_BIT = 0x80
/** The exponent of the largest power of two that divides the field's order minus one. */
const TWO_ADICITY = 28
/** The smallest number that isn't a square in the field. */
const NON_SQUARE = 5n

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, modulo(base)]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = modulo(result * square)
    square = modulo(square * square)
  }
  return result
}

const ODD_PART = (FIELD_MODULUS - 1n) >> BigInt(TWO_ADICITY)
/** An element that generates the group of all elements whose order is a power of two. */
const TWO_POWER_ROOT = power(NON_SQUARE, ODD_PART)

/** How many times a value must be squared until it is 1. */
function squaringsToOne(value: bigint): number {
  let count = 0
  for (let square = value; square !== 1n; square = modulo(square * square)) count += 1
  return count
}

/** A square root, by Tonelli and Shanks; undefined for a non-square. */
function squareRoot(value: bigint): bigint | undefined {
  if (value === 0n) return 0n
  let [root, rest] = [power(value, (ODD_PART + 1n) / 2n), power(value, ODD_PART)]
  let [factor, order] = [TWO_POWER_ROOT, TWO_ADICITY]
  while (rest !== 1n) {
    const restOrder = squaringsToOne(rest)
    if (restOrder >= order) return undefined
    const step = power(factor, 1n << BigInt(order - restOrder - 1))
    factor = modulo(step * step)
    ;[order, rest, root] = [restOrder, modulo(rest * factor), modulo(root * step)]
  }
  return root
}

const isUpperHalf = (x: bigint) => x > FIELD_MODULUS >> 1n

/**
 * Packs an owner's key as circomlib packs points: y in little-endian order, with the highest bit set if x is in the
 * upper half.
 */
export function packOwner({ x, y }: Point): Uint8Array {
  const bytes = fieldToBytes(y).reverse()
  const last = PACKED_BYTES - 1
  bytes[last] = (bytes[last] ?? 0) | (isUpperHalf(x) ? SIGN_BIT : 0)
  return bytes
}

/**
 * The points that were unpacked most recently. The key is the packed bytes, read as a number. Every payment of a
 * balance unpacks its owner several times.
 */
const unpacked = new Map<bigint, Point>()
const UNPACKED_MAX = 64

/** Reads the bytes that `packOwner` wrote; undefined for all other bytes. The point may be of small order. */
export function unpackOwner(packed: Uint8Array): Point | undefined {
  if (packed.length !== PACKED_BYTES) return undefined
  const key = bigintFromBytes(packed)
  const known = unpacked.get(key)
  if (known !== undefined) return known
  const point = unpack(packed)
  if (point === undefined) return undefined
  const [oldest] = unpacked.keys()
  if (oldest !== undefined && unpacked.size >= UNPACKED_MAX) unpacked.delete(oldest)
  unpacked.set(key, point)
  return point
}

function unpack(packed: Uint8Array): Point | undefined {
  const bytes = packed.slice().reverse()
  const sign = (bytes[0] ?? 0) & SIGN_BIT
  bytes[0] = (bytes[0] ?? 0) & ~SIGN_BIT
  const y = bigintFromBytes(bytes)
  if (!isElement(y)) return undefined
  const square = modulo(y * y)
  // The divisor is never 0, because A / D is not a square.
  const root = squareRoot(modulo(modulo(1n - square) * inverse(A - D * square)))
  if (root === undefined) return undefined
  const isNegative = sign !== 0
  const x = isUpperHalf(root) === isNegative ? root : modulo(-root)
  return isUpperHalf(x) === isNegative ? { x, y } : undefined
}
