import type { Poseidon } from '@sotto/protocol'
import { poseidon1 } from 'poseidon-lite/poseidon1'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'
import { poseidon5 } from 'poseidon-lite/poseidon5'
import { poseidon6 } from 'poseidon-lite/poseidon6'
import { poseidon7 } from 'poseidon-lite/poseidon7'

const byArity = [poseidon1, poseidon2, poseidon3, poseidon4, poseidon5, poseidon6, poseidon7]

/** Poseidon as in circomlib, for up to seven inputs, in plain JavaScript. */
export const poseidonLite: Poseidon = (inputs) => {
  const hash = byArity[inputs.length - 1]
  if (hash === undefined) throw new RangeError('this Poseidon accepts one to seven inputs')
  return hash([...inputs])
}
