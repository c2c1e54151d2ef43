import type { Poseidon } from '@sotto/protocol'

/**
 * Maximum number of cached results. Even if many balances pay at the same time, they repeat fewer different hashes than
 * this.
 */
const KEPT_MAX = 256

/**
 * Wraps a hash with a cache of the newest results. The hash takes 0.2 ms in plain JavaScript. A payment needs most of
 * its hashes several times: the next payment spends the note that this payment leaves, and asset, wallet and owner
 * stay the same. The cached inputs contain a balance's secrets, but the balance's record keeps these secrets in
 * memory anyway.
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
