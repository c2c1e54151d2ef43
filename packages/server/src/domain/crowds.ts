import type { Address } from '@sotto/protocol'

/** Recent deposits that look the same on chain. */
export interface Crowd {
  readonly destinationMint: Address
  readonly amountOut: bigint
  readonly fee: bigint
  readonly deposits: number
  /** One for each deposit: how long after the time asked for it was made. In no order. */
  readonly secondsAfter: readonly number[]
}

/** What an observer sees of a delivery. */
type Delivery = Pick<Crowd, 'destinationMint' | 'amountOut' | 'fee'>

/** What recent deposits have in common with a delivery, looked up for every quote. */
export interface Crowds {
  /** Deposits of so many last seconds that could have produced the same delivery. */
  readonly alike: (of: Delivery, windowSeconds: number) => number
  /** Deposits of the most common fee among those that deliver the same amount. */
  readonly ofAmount: (mint: Address, amountOut: bigint) => number
  /** The crowds of an asset, the largest first. */
  readonly of: (mint: Address) => readonly Crowd[]
}

/** Crowds that deliver the same amount. */
interface OfAmount {
  /** Deposits of the largest of them. */
  readonly deposits: number
  readonly byFee: Map<bigint, Crowd>
}

interface OfMint {
  /** The largest first. */
  readonly crowds: Crowd[]
  readonly byAmount: Map<bigint, OfAmount>
}

/** Finds what is kept under a key, or keeps what is made for it. */
function keptAt<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const kept = map.get(key)
  if (kept !== undefined) return kept
  const made = make()
  map.set(key, made)
  return made
}

/**
 * The crowds by what they are asked for: there are thousands, and a quote that looked through all of
 * them would take longer for that than for everything else. `crowds` in whatever order; they are of
 * the last `crowdSeconds`, so that a longer window sees no more of them.
 */
export function indexCrowds(crowds: readonly Crowd[], crowdSeconds: number): Crowds {
  const byMint = new Map<Address, OfMint>()
  for (const crowd of [...crowds].sort((left, right) => right.deposits - left.deposits)) {
    const { destinationMint: mint, amountOut, fee, deposits } = crowd
    const ofMint = keptAt(byMint, mint, () => ({ crowds: [], byAmount: new Map() }))
    ofMint.crowds.push(crowd)
    keptAt(ofMint.byAmount, amountOut, () => ({ deposits, byFee: new Map() })).byFee.set(fee, crowd)
  }
  const ofAmount = (mint: Address, amountOut: bigint) => byMint.get(mint)?.byAmount.get(amountOut)
  return {
    alike: ({ destinationMint, amountOut, fee }, windowSeconds) => {
      const crowd = ofAmount(destinationMint, amountOut)?.byFee.get(fee)
      if (crowd === undefined || windowSeconds >= crowdSeconds) return crowd?.deposits ?? 0
      const since = crowdSeconds - windowSeconds
      return crowd.secondsAfter.filter((seconds) => seconds >= since).length
    },
    ofAmount: (mint, amountOut) => ofAmount(mint, amountOut)?.deposits ?? 0,
    of: (mint) => byMint.get(mint)?.crowds ?? [],
  }
}
