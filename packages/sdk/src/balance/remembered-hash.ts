import type { Poseidon } from '@sotto/protocol'

/** Maximum number of cached results. It is enough for many balances that pay at the same time. */
const KEPT_MAX = 256

/**
 * Wraps a hash with a cache of recently used results. The hash takes 0.2 ms in plain JavaScript. Most hashes of a
 * payment are needed again: the next payment spends this payment's change note, and asset, wallet and owner stay the
 * same. The cached inputs contain a balance's secrets, which are in memory anyway, in the balance's record.
 */
export function rememberingHash(hash: Poseidon, keptMax = KEPT_MAX): Poseidon {
  const kept = new Map<string, bigint>()
  return (inputs) => {
    const key = inputs.map((input) => input.toString(36)).join()
    const known = kept.get(key)
    const result = known ?? hash(inputs)
    // Each use moves its key to the end of the map, so the first key is the least recently used.
    kept.delete(key)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= keptMax) kept.delete(oldest)
    kept.set(key, result)
    return result
  }
}
