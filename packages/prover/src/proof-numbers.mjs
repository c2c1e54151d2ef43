import { webcrypto } from 'node:crypto'

const NUMBER_BYTES = 32
/** Order of BN254's scalar field. */
const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

/** A uniform scalar in 32 little-endian bytes. Three in four draws are below the order. */
export function randomScalar() {
  const bytes = new Uint8Array(NUMBER_BYTES)
  do {
    webcrypto.getRandomValues(bytes)
    // The order has 254 bits.
    bytes[NUMBER_BYTES - 1] &= 0x3f
  } while (readNumber(new DataView(bytes.buffer), 0) >= FIELD)
  return bytes
}

function readNumber(view, index) {
  let number = 0n
  for (let word = 3; word >= 0; word -= 1) {
    number = (number << 64n) | view.getBigUint64(index * NUMBER_BYTES + 8 * word, true)
  }
  return number
}

/**
 * A proof of eight numbers of 32 little-endian bytes, in snarkjs' form.
 *
 * @param {DataView} view
 */
export function readProof(view) {
  const [ax, ay, bx0, bx1, by0, by1, cx, cy] = Array.from({ length: 8 }, (_, index) =>
    readNumber(view, index).toString(),
  )
  return {
    pi_a: [ax, ay, '1'],
    pi_b: [
      [bx0, bx1],
      [by0, by1],
      ['1', '0'],
    ],
    pi_c: [cx, cy, '1'],
    protocol: 'groth16',
    curve: 'bn128',
  }
}
