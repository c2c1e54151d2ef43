import type { Poseidon } from '@sotto/protocol'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'

/** Circomlib's Poseidon of three inputs, all that a note's inner commitment takes. */
export const poseidonOfThree: Poseidon = (inputs) => {
  if (inputs.length !== 3) throw new RangeError('only three inputs are hashed here')
  return poseidon3([...inputs])
}

/** Circomlib's Poseidon of two inputs, all that a nullifier takes. */
export const poseidonOfTwo: Poseidon = (inputs) => {
  if (inputs.length !== 2) throw new RangeError('only two inputs are hashed here')
  return poseidon2([...inputs])
}
