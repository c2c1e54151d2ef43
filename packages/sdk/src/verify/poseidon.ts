import type { Poseidon } from '@sotto/protocol'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'

/** Circomlib's Poseidon of three inputs, enough for a note's inner commitment. */
export const poseidonOfThree: Poseidon = (inputs) => {
  if (inputs.length !== 3) throw new RangeError('this hash takes exactly three inputs')
  return poseidon3([...inputs])
}

/** Circomlib's Poseidon of two inputs, enough for a nullifier. */
export const poseidonOfTwo: Poseidon = (inputs) => {
  if (inputs.length !== 2) throw new RangeError('this hash takes exactly two inputs')
  return poseidon2([...inputs])
}
