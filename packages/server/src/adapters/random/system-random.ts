import { randomFillSync, randomInt } from 'node:crypto'
import type { Random } from '../../ports/random.ts'
import { ownBytes } from './own-bytes.ts'

/**
 * Maximum number of bytes that are taken from the pool. Nonces and ids are this short. A longer request may be for a
 * long-lived secret, so it doesn't use the pool.
 */
const POOLED_MAX = 16
/**
 * Number of bytes that one system call draws. A system call for sixteen bytes takes about as long as a system call for
 * thousands of bytes.
 */
const POOL_BYTES = 4_096

// The pool is a plain array, because a Buffer's methods accept many kinds of values and are many times slower.
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Returns bytes of the pool and erases them in the pool, so that they are never returned again. */
function takePooled(size: number): Uint8Array {
  if (used + size > pool.length) {
    // The pool is filled in place. If random bytes were copied into it, the original would stay in memory.
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
  // Keys are also filled in place. If they were copied, the original of every key would stay in memory.
  bytes: (size) => (size <= POOLED_MAX ? takePooled(size) : randomFillSync(ownBytes(size))),
  below: (bound) => randomInt(bound),
}
