import type { Outflow } from './history.ts'

/** The limits of an Asset, as the chain shows them. */
interface Limits {
  readonly swapCap: bigint
  readonly swapPeriodSeconds: bigint
}

/** Starts a new count if the limits have changed. */
export function noteLimits(outflow: Outflow, { swapCap, swapPeriodSeconds }: Limits): void {
  if (outflow.swapCap !== swapCap || outflow.swapPeriodSeconds !== swapPeriodSeconds) {
    Object.assign(outflow, { swapCap, swapPeriodSeconds, swaps: [] })
  }
}

/**
 * The most by which the swaps of any time span exceeded cap + cap * seconds / period. Each span begins and ends with a
 * swap. The result is at most 0 while I6 holds.
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
