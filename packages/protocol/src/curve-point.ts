/** The field of edwards25519, 2^255 - 19, and the curve's constant d = -121665/121666 (RFC 8032). */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const SIGN_BIT = 0x80
const WORD_BITS = 32

/** The lowest bits as a number. */
const lowBits = (value: bigint, bits: number): number => Number(BigInt.asUintN(bits, value))

/**
 * The Legendre symbol (value / p), by Jacobi's algorithm: 1 for a square, -1 for a non-square, 0 for 0. An
 * exponentiation by (p - 1) / 2 gives the same result but is several times slower.
 */
function legendre(value: bigint): number {
  let top = value
  let bottom = P
  let sign = 1
  while (top !== 0n) {
    const low = lowBits(top, WORD_BITS)
    const zeros = low === 0 ? WORD_BITS : 31 - Math.clz32(low & -low)
    top >>= BigInt(zeros)
    if (low === 0) continue
    // (2 / n) is -1 if n is 3 or 5 modulo 8.
    const eighth = lowBits(bottom, 3)
    if (zeros % 2 === 1 && (eighth === 3 || eighth === 5)) sign = -sign
    // By quadratic reciprocity, the symbol changes its sign if both numbers are 3 modulo 4.
    if (lowBits(top, 2) === 3 && eighth % 4 === 3) sign = -sign
    const rest = bottom % top
    bottom = top
    top = rest
  }
  return bottom === 1n ? sign : 0
}

function integerOf(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (index: number) => view.getBigUint64(8 * index, true)
  return word(0) | (word(1) << 64n) | (word(2) << 128n) | (BigInt.asUintN(63, word(3)) << 192n)
}

/**
 * True if 32 bytes are a compressed point of edwards25519 (RFC 8032, 5.1.3). An address on the curve may have a private
 * key and can't be a program's. x^2 = (y^2 - 1) / (d y^2 + 1) must be a square. The quotient is a square exactly if the
 * product of numerator and denominator is a square.
 */
export function isCurvePoint(bytes: Uint8Array): boolean {
  const y = integerOf(bytes)
  const ySquared = (y * y) % P
  const dividend = ySquared - 1n
  // x is 0, which has no sign bit.
  if (dividend === 0n) return ((bytes[31] ?? 0) & SIGN_BIT) === 0
  const product = ((dividend + P) * (D * ySquared + 1n)) % P
  return legendre(product) === 1
}
