import { CURVE_PRIME as P, legendre } from './legendre.ts'

/** The curve's constant d = -121665/121666 (RFC 8032). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const SIGN_BIT = 0x80

function integerOf(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (index: number) => view.getBigUint64(8 * index, true)
  return word(0) | (word(1) << 64n) | (word(2) << 128n) | (BigInt.asUintN(63, word(3)) << 192n)
}

/**
 * True if 32 bytes are a compressed point of edwards25519 (RFC 8032, 5.1.3). A point may have a private key, so
 * programs can't use it as a derived address. The bytes give y. A point with this y exists if x^2 = (y^2 - 1) / (d y^2
 * + 1) is a square. This quotient is a square exactly if the product of its numerator and its denominator is a square.
 */
export function isCurvePoint(bytes: Uint8Array): boolean {
  const y = integerOf(bytes)
  const ySquared = (y * y) % P
  const dividend = ySquared - 1n
  // For a dividend of 0, x is 0, so the sign bit must be 0.
  if (dividend === 0n) return ((bytes[31] ?? 0) & SIGN_BIT) === 0
  const product = ((dividend + P) * (D * ySquared + 1n)) % P
  return legendre(product) === 1
}
