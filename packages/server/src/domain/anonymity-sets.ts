import type { Address } from '@sotto/protocol'

/** Recent deposits that are indistinguishable on chain. */
export interface AnonymitySet {
  readonly destinationMint: Address
  /** The value of each note in the set: a delivery's payout plus its fee. */
  readonly value: bigint
  readonly deposits: number
  /** For each deposit, the seconds from the start of the period to that deposit. Unordered. */
  readonly secondsAfter: readonly number[]
}

/** The anonymity sets of recent deposits, for look-ups by quotes. */
export interface AnonymitySets {
  /** The number of deposits in the last `windowSeconds` that could have caused the same delivery. */
  readonly alike: (mint: Address, value: bigint, windowSeconds: number) => number
  /** The anonymity sets of an asset, the largest first. */
  readonly of: (mint: Address) => readonly AnonymitySet[]
}

interface OfMint {
  /** Sorted, the largest first. */
  readonly sets: AnonymitySet[]
  readonly byValue: Map<bigint, AnonymitySet>
}

/** Returns the value of a key. If the key has none, creates and stores one. */
function keptAt<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const kept = map.get(key)
  if (kept !== undefined) return kept
  const made = make()
  map.set(key, made)
  return made
}

/**
 * Indexes anonymity sets by the keys that quotes use. There are thousands of sets, and scanning all of them would take
 * longer than the rest of a quote. `sets` may have any order. They cover the last `spanSeconds`, so a longer window
 * finds no more deposits.
 */
export function indexAnonymitySets(
  sets: readonly AnonymitySet[],
  spanSeconds: number,
): AnonymitySets {
  const byMint = new Map<Address, OfMint>()
  for (const set of [...sets].sort((left, right) => right.deposits - left.deposits)) {
    const ofMint = keptAt(byMint, set.destinationMint, () => ({ sets: [], byValue: new Map() }))
    ofMint.sets.push(set)
    ofMint.byValue.set(set.value, set)
  }
  return {
    alike: (mint, value, windowSeconds) => {
      const set = byMint.get(mint)?.byValue.get(value)
      if (set === undefined || windowSeconds >= spanSeconds) return set?.deposits ?? 0
      const since = spanSeconds - windowSeconds
      return set.secondsAfter.filter((seconds) => seconds >= since).length
    },
    of: (mint) => byMint.get(mint)?.sets ?? [],
  }
}
