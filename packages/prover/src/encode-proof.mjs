/** Order of BN254's base field, which contains the points' coordinates. */
const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n

const toBytes = (number) => Buffer.from(BigInt(number).toString(16).padStart(64, '0'), 'hex')

/**
 * A proof in the program's format, 256 bytes: A negated (64), B (128), C (64). All numbers are big-endian, and B's
 * coordinates have the imaginary part first. A is negated because the chain's pairing check tests whether a product of
 * pairings is 1, and can't negate.
 *
 * @param {{ pi_a: string[], pi_b: string[][], pi_c: string[] }} proof as snarkjs makes it
 * @returns {Buffer}
 */
export function encodeProof({ pi_a: a, pi_b: b, pi_c: c }) {
  const negated = (BASE_FIELD - BigInt(a[1])) % BASE_FIELD
  const numbers = [a[0], negated, b[0][1], b[0][0], b[1][1], b[1][0], c[0], c[1]]
  return Buffer.concat(numbers.map(toBytes))
}
