import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'

/** Clocks differ by less; a price from further ahead would count as fresh for as long as it is ahead. */
const AHEAD_MS = 10_000

/** Whether a rate may still be quoted by; every age may where there is no limit. */
export function isFresh(rate: Rate, ageMaxMs: number | undefined, nowMs: number): boolean {
  if (ageMaxMs === undefined) return true
  const ageMs = nowMs - rate.asOfMs
  return ageMs <= ageMaxMs && ageMs >= -AHEAD_MS
}

/** A source whose rates are refused once they are older than so many milliseconds. */
export function freshPrices(prices: Prices, ageMaxMs: number | undefined, clock: Clock): Prices {
  return {
    readRate: async (source, destination) => {
      const rate = await prices.readRate(source, destination)
      return rate !== undefined && isFresh(rate, ageMaxMs, clock.nowMs()) ? rate : undefined
    },
  }
}
