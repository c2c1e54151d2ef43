import type { Address } from '@sotto/protocol'
import type { Crowd } from '../ports/market-store.ts'

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

const keyOf = (...parts: readonly (string | bigint)[]): string => parts.join(' ')

/**
 * The crowds by what they are asked for: there are thousands, and a quote that looked through all of
 * them would take longer for that than for everything else. `crowds` in whatever order; they are of
 * the last `crowdSeconds`, so that a longer window sees no more of them.
 */
export function indexCrowds(crowds: readonly Crowd[], crowdSeconds: number): Crowds {
  const byDelivery = new Map<string, Crowd>()
  const byAmount = new Map<string, number>()
  const byMint = new Map<string, Crowd[]>()
  for (const crowd of [...crowds].sort((left, right) => right.deposits - left.deposits)) {
    const { destinationMint: mint, amountOut, fee, deposits } = crowd
    byDelivery.set(keyOf(mint, amountOut, fee), crowd)
    const amount = keyOf(mint, amountOut)
    if (!byAmount.has(amount)) byAmount.set(amount, deposits)
    const own = byMint.get(mint)
    if (own === undefined) byMint.set(mint, [crowd])
    else own.push(crowd)
  }
  return {
    alike: ({ destinationMint, amountOut, fee }, windowSeconds) => {
      const crowd = byDelivery.get(keyOf(destinationMint, amountOut, fee))
      if (crowd === undefined || windowSeconds >= crowdSeconds) return crowd?.deposits ?? 0
      const since = crowdSeconds - windowSeconds
      return crowd.secondsAfter.filter((seconds) => seconds >= since).length
    },
    ofAmount: (mint, amountOut) => byAmount.get(keyOf(mint, amountOut)) ?? 0,
    of: (mint) => byMint.get(mint) ?? [],
  }
}
