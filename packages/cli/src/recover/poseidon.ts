import type { Poseidon } from '@sotto/protocol'
import { poseidon1 } from 'poseidon-lite/poseidon1'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon6 } from 'poseidon-lite/poseidon6'

type Hash = (inputs: bigint[]) => bigint
const HASHES: ReadonlyMap<number, Hash> = new Map([
  [1, poseidon1],
  [2, poseidon2],
  [3, poseidon3],
  [6, poseidon6],
])

/** Poseidon with the widths that notes and tree use. */
export const poseidon: Poseidon = (inputs) => {
  const hash = HASHES.get(inputs.length)
  if (hash === undefined) throw new Error('unsupported Poseidon width')
  return hash([...inputs])
}
