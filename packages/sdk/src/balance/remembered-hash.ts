import type { Poseidon } from '@sotto/protocol'

/**
 * Number of results that are remembered. Even many balances that pay at the same time repeat fewer hashes than this.
 */
const KEPT_MAX = 256

/**
 * Wraps a hash so that it remembers its newest results. A hash in plain JavaScript takes a fifth of a millisecond, and
 * a payment needs most of its hashes several times: the note that a payment leaves is the one that the next payment
 * spends, and asset, wallet and owner stay the same. The remembered inputs contain a balance's secrets, but the
 * balance's record keeps these in memory anyway.
 */
export function rememberingHash(hash: Poseidon, keptMax = KEPT_MAX): Poseidon {
  const kept = new Map<string, bigint>()
  return (inputs) => {
    const key = inputs.map((input) => input.toString(36)).join()
    const known = kept.get(key)
    const result = known ?? hash(inputs)
    // Each use inserts its key again at the map's end, so the first key was used the longest time ago.
    kept.delete(key)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= keptMax) kept.delete(oldest)
    kept.set(key, result)
    return result
  }
}
