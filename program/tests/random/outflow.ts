import type { Outflow } from './history.ts'

/** The limits of an Asset, as the chain shows them. */
interface Limits {
  readonly swapCap: bigint
  readonly swapPeriodSeconds: bigint
}

/** If the limits have changed, starts a new list of swaps. */
export function noteLimits(outflow: Outflow, { swapCap, swapPeriodSeconds }: Limits): void {
  if (outflow.swapCap !== swapCap || outflow.swapPeriodSeconds !== swapPeriodSeconds) {
    Object.assign(outflow, { swapCap, swapPeriodSeconds, swaps: [] })
  }
}

/**
 * Compares the swaps of every time span with cap + cap * seconds / period, and returns the greatest excess. Each span
 * begins and ends with a swap. If invariant I6 is true, the result is at most 0.
 */
export function excessOf({ swapCap, swapPeriodSeconds, swaps }: Outflow): bigint {
  let worst = -swapCap
  swaps.forEach((first, start) => {
    let sum = 0n
    for (const { clock, value } of swaps.slice(start)) {
      sum += value
      const refill = (swapCap * (clock - first.clock)) / swapPeriodSeconds
      const excess = sum - swapCap - refill
      if (excess > worst) worst = excess
    }
  })
  return worst
}
