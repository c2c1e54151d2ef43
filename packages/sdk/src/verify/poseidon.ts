import type { Poseidon } from '@sotto/protocol'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'

/**
 * Circomlib's Poseidon hash for two, three or four inputs. It is enough for a note's nullifier (two inputs), inner
 * (three) and claim (four).
 */
export const noteHash: Poseidon = (inputs) => {
  switch (inputs.length) {
    case 2:
      return poseidon2([...inputs])
    case 3:
      return poseidon3([...inputs])
    case 4:
      return poseidon4([...inputs])
    default:
      throw new RangeError('this hash accepts two to four inputs')
  }
}
