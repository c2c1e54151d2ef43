import { randomFillSync, randomInt } from 'node:crypto'
import type { Random } from '../../ports/random.ts'
import { ownBytes } from './own-bytes.ts'

/** Nonces and ids. Anything longer may be a secret that outlives its request, and is in no pool. */
const POOLED_MAX = 16
/** Drawn at once: what the system takes for sixteen bytes is what it takes for thousands. */
const POOL_BYTES = 4_096

// Not a buffer, whose own methods take values of all kinds, and many times as long.
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Bytes that nobody else gets; what was handed out doesn't stay behind in the pool. */
function takePooled(size: number): Uint8Array {
  if (used + size > pool.length) {
    // In place: a copy would leave the original in memory, with all that is handed out.
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
  // In place, again: a copy would leave the original of every key in memory.
  bytes: (size) => (size <= POOLED_MAX ? takePooled(size) : randomFillSync(ownBytes(size))),
  below: (bound) => randomInt(bound),
}
