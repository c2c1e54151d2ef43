import type { Address } from '@sotto/protocol'

/** Recent deposits that are indistinguishable on chain. */
export interface AnonymitySet {
  readonly destinationMint: Address
  readonly amountOut: bigint
  readonly fee: bigint
  readonly deposits: number
  /** For each deposit, how long after the start of the period it was made. Unordered. */
  readonly secondsAfter: readonly number[]
}

/** The parts of a delivery that an observer sees. */
type Delivery = Pick<AnonymitySet, 'destinationMint' | 'amountOut' | 'fee'>

/** The anonymity sets of recent deposits, looked up for every quote. */
export interface AnonymitySets {
  /** The number of deposits in the last `windowSeconds` that could have caused the same delivery. */
  readonly alike: (of: Delivery, windowSeconds: number) => number
  /** The number of deposits with the most common fee among those that deliver the same amount. */
  readonly ofAmount: (mint: Address, amountOut: bigint) => number
  /** The sets of an asset, the largest first. */
  readonly of: (mint: Address) => readonly AnonymitySet[]
}

/** Sets that deliver the same amount. */
interface OfAmount {
  /** The number of deposits in the largest of them. */
  readonly deposits: number
  readonly byFee: Map<bigint, AnonymitySet>
}

interface OfMint {
  /** The largest first. */
  readonly sets: AnonymitySet[]
  readonly byAmount: Map<bigint, OfAmount>
}

/** Returns a key's value; if there is none, creates and keeps one. */
function keptAt<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const kept = map.get(key)
  if (kept !== undefined) return kept
  const made = make()
  map.set(key, made)
  return made
}

/**
 * Indexes anonymity sets by what quotes ask for. There are thousands, and scanning all of them would take a
 * quote longer than everything else. `sets` come in any order; they cover the last `spanSeconds`, so that a
 * longer window finds no more.
 */
export function indexAnonymitySets(
  sets: readonly AnonymitySet[],
  spanSeconds: number,
): AnonymitySets {
  const byMint = new Map<Address, OfMint>()
  for (const set of [...sets].sort((left, right) => right.deposits - left.deposits)) {
    const { destinationMint: mint, amountOut, fee, deposits } = set
    const ofMint = keptAt(byMint, mint, () => ({ sets: [], byAmount: new Map() }))
    ofMint.sets.push(set)
    keptAt(ofMint.byAmount, amountOut, () => ({ deposits, byFee: new Map() })).byFee.set(fee, set)
  }
  const ofAmount = (mint: Address, amountOut: bigint) => byMint.get(mint)?.byAmount.get(amountOut)
  return {
    alike: ({ destinationMint, amountOut, fee }, windowSeconds) => {
      const set = ofAmount(destinationMint, amountOut)?.byFee.get(fee)
      if (set === undefined || windowSeconds >= spanSeconds) return set?.deposits ?? 0
      const since = spanSeconds - windowSeconds
      return set.secondsAfter.filter((seconds) => seconds >= since).length
    },
    ofAmount: (mint, amountOut) => ofAmount(mint, amountOut)?.deposits ?? 0,
    of: (mint) => byMint.get(mint)?.sets ?? [],
  }
}
