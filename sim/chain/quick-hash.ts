import type { Poseidon } from '@sotto/protocol'
import { hashQuads } from './quick-quads.ts'

const MULTIPLIER = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835n
const START = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344n

const hashOf = (inputs: readonly bigint[]): bigint => {
  let state = START ^ BigInt(inputs.length)
  for (const input of inputs) {
    const folded = input ^ (input >> 128n)
    state = BigInt.asUintN(128, (state ^ folded) * MULTIPLIER)
    state ^= state >> 61n
  }
  state = BigInt.asUintN(128, state * MULTIPLIER)
  return state ^ (state >> 67n)
}

/**
 * Replaces Poseidon in the simulator. Like Poseidon, this hash depends on every input. It is a hundred times faster,
 * but it isn't secure. Its 128 bits always fit into the field.
 */
export const quickHash: Poseidon = Object.assign(hashOf, { hashQuads })
