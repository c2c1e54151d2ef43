import type { Poseidon } from '@sotto/protocol'
import { poseidon5 } from 'poseidon-lite/poseidon5'
import { poseidon7 } from 'poseidon-lite/poseidon7'
import { noteHash } from '../verify/poseidon.ts'
import { rememberingHash } from './remembered-hash.ts'

const hash: Poseidon = (inputs) => {
  if (inputs.length === 5) return poseidon5([...inputs])
  return inputs.length === 7 ? poseidon7([...inputs]) : noteHash(inputs)
}

/** Circomlib's Poseidon hash, for the input counts that notes, the tree and payments need. */
export const balanceHash: Poseidon = rememberingHash(hash)
