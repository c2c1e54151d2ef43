import { randomFillSync, randomInt } from 'node:crypto'
import type { Random } from '../../ports/random.ts'
import { ownBytes } from './own-bytes.ts'

/**
 * Maximum number of bytes that are taken from the pool. Nonces and ids are this short. A longer request may be for a
 * long-lived secret. Such a secret must not come from the pool.
 */
const POOLED_MAX = 16
/**
 * Number of bytes that one system call writes. For sixteen bytes, the call takes about as long as for thousands of
 * bytes.
 */
const POOL_BYTES = 4_096

// The pool is a plain `Uint8Array`. A Buffer's methods accept many kinds of values, so they are many times slower.
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Returns bytes of the pool and erases them in the pool. So the pool never returns them again. */
function takePooled(size: number): Uint8Array {
  if (used + size > pool.length) {
    // The system writes the bytes directly into the pool. A copy would leave the original in memory.
    randomFillSync(pool)
    used = 0
  }
  const taken = pool.slice(used, used + size)
  pool.fill(0, used, used + size)
  used += size
  return taken
}

/** Random numbers of the operating system. */
export const systemRandom: Random = {
  // The system also writes keys directly into their own memory. A copy would leave the original of every key in memory.
  bytes: (size) => (size <= POOLED_MAX ? takePooled(size) : randomFillSync(ownBytes(size))),
  below: (bound) => randomInt(bound),
}
