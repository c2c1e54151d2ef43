import type { Poseidon } from '@sotto/protocol'
import { poseidon3 } from 'poseidon-lite/poseidon3'

/** Circomlib's Poseidon of three inputs, all that a note's inner commitment takes. */
export const poseidonOfThree: Poseidon = (inputs) => {
  if (inputs.length !== 3) throw new RangeError('only three inputs are hashed here')
  return poseidon3([...inputs])
}
