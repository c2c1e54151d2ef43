import { randomBytes, randomInt } from 'node:crypto'
import type { Random } from '../../ports/random.ts'

/** The operating system's randomness. */
export const systemRandom: Random = {
  bytes: (size) => new Uint8Array(randomBytes(size)),
  below: (bound) => randomInt(bound),
}
