import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'
import { poseidon5 } from 'poseidon-lite/poseidon5'
import { poseidon7 } from 'poseidon-lite/poseidon7'
import type { Poseidon } from '../index.ts'

const hashes: Record<number, (values: bigint[]) => bigint> = {
  2: poseidon2,
  3: poseidon3,
  4: poseidon4,
  5: poseidon5,
  7: poseidon7,
}

/** Poseidon in plain JavaScript. It supports only the numbers of inputs that the protocol uses. */
export const poseidon: Poseidon = (inputs) => hashes[inputs.length]!([...inputs])
