/** Number of 16-bit limbs in the hash's state (`LIMBS`), and in one node. The least significant limb comes first. */
const LIMBS = 8
const NODE_LIMBS = 16
const CHILDREN = 4

const limbsOf = (value: bigint): Uint16Array =>
  new Uint16Array(new BigUint64Array([value, value >> 64n]).buffer)

const MULTIPLIER = limbsOf(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835n)
const START = limbsOf(0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344n ^ BigInt(CHILDREN))

const state = new Int32Array(LIMBS)
const product = new Int32Array(LIMBS)

/** Multiplies the state, modulo 2^128. */
function multiply(): void {
  let carry = 0
  for (let limb = 0; limb < LIMBS; limb += 1) {
    // A sum of nine products of 16-bit numbers is exact in a double.
    let sum = carry
    for (let at = 0; at <= limb; at += 1) {
      sum += (state[at] as number) * (MULTIPLIER[limb - at] as number)
    }
    carry = Math.floor(sum / 0x1_0000)
    product[limb] = sum - carry * 0x1_0000
  }
  state.set(product)
}

/** XORs the state with itself, shifted right by `16 * whole + bits` bits. */
function fold(whole: number, bits: number): void {
  for (let limb = 0; limb + whole < LIMBS; limb += 1) {
    const low = (state[limb + whole] as number) >>> bits
    const high = limb + whole + 1 < LIMBS ? (state[limb + whole + 1] as number) << (16 - bits) : 0
    state[limb] = (state[limb] as number) ^ ((low | high) & 0xffff)
  }
}

/**
 * Hashes each group of four neighbouring nodes as `quickHash` does, but without `bigint`, which is slow. A tree of
 * thousands of leaves is hashed many times in a run.
 */
export function hashQuads(nodes: Uint8Array): Uint8Array {
  const words = new Uint16Array(nodes.slice().buffer)
  const count = words.length / (NODE_LIMBS * CHILDREN)
  const hashes = new Uint16Array(count * NODE_LIMBS)
  for (let quad = 0; quad < count; quad += 1) {
    state.set(START)
    for (let child = 0; child < CHILDREN; child += 1) {
      const from = (quad * CHILDREN + child) * NODE_LIMBS
      for (let limb = 0; limb < LIMBS; limb += 1) {
        const [low, high] = [words[from + limb] as number, words[from + limb + LIMBS] as number]
        state[limb] = (state[limb] as number) ^ low ^ high
      }
      multiply()
      // 61 bits are three limbs and 13 bits.
      fold(3, 13)
    }
    multiply()
    // 67 bits are four limbs and 3 bits.
    fold(4, 3)
    hashes.set(state, quad * NODE_LIMBS)
  }
  return new Uint8Array(hashes.buffer)
}
