import { randomFillSync, randomInt } from 'node:crypto'
import type { Random } from '../../ports/random.ts'
import { ownBytes } from './own-bytes.ts'

/**
 * Maximum number of bytes that are taken from the pool. Nonces and ids are this short; longer bytes may be a long-lived
 * secret.
 */
const POOLED_MAX = 16
/** Bytes drawn in one call, because a system call for sixteen bytes costs about the same as one for thousands. */
const POOL_BYTES = 4_096

// The pool isn't a Buffer, because a Buffer's methods accept many kinds of values and are many times slower.
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Returns bytes of the pool and erases them there, so that they are used only once. */
function takePooled(size: number): Uint8Array {
  if (used + size > pool.length) {
    // The pool is filled in place, because a copy would leave the original with all its bytes in memory.
    randomFillSync(pool)
    used = 0
  }
  const taken = pool.slice(used, used + size)
  pool.fill(0, used, used + size)
  used += size
  return taken
}

/** The operating system's randomness. */
export const systemRandom: Random = {
  // Keys are filled in place too, because a copy would leave the original of every key in memory.
  bytes: (size) => (size <= POOLED_MAX ? takePooled(size) : randomFillSync(ownBytes(size))),
  below: (bound) => randomInt(bound),
}
