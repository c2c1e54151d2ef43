import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Built from `wasm/groth16` by `wasm/build.sh`; every proof that it makes is verified by snarkjs. */
const MODULE = new URL('../wasm/groth16.wasm', import.meta.url)

const NUMBER_BYTES = 32
/** Order of BN254's scalar field. */
const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

/**
 * Returns the function that makes a Groth16 proof of a witness, in the form that snarkjs gives proofs.
 *
 * @param {Uint8Array} zkey proving key
 * @returns {Promise<(witness: Uint8Array) => object>}
 * @throws {Error} where the module can't be read or this machine can't run it.
 */
export async function startGroth16(zkey) {
  const { instance } = await WebAssembly.instantiate(await readFile(MODULE))
  const { memory, reserve, load_key: loadKey, signals, prove } = instance.exports
  const at = reserve(zkey.length)
  new Uint8Array(memory.buffer).set(zkey, at)
  if (loadKey(zkey.length) !== 0) throw new Error('The proving key cannot be used.')

  return (witness) => {
    if (witness.length !== signals() * NUMBER_BYTES)
      throw new Error('The witness has another size.')
    const start = reserve(witness.length + 2 * NUMBER_BYTES)
    const bytes = new Uint8Array(memory.buffer)
    bytes.set(randomScalar(), start)
    bytes.set(randomScalar(), start + NUMBER_BYTES)
    bytes.set(witness, start + 2 * NUMBER_BYTES)
    if (prove() !== 0) throw new Error('The module refuses the witness.')
    return readProof(new DataView(memory.buffer, start))
  }
}

/** A uniform scalar in 32 little-endian bytes: of the draws, three in four are below the order. */
function randomScalar() {
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

function readProof(view) {
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
