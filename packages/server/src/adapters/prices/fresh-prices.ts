import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'

/**
 * Maximum time by which a price's date may lie in the future. Real clocks differ by less. A later date would make the
 * price count as fresh for too long.
 */
const AHEAD_MS = 10_000

/** True if a rate is recent enough for a quote. Without `ageMaxMs`, every rate is recent enough. */
export function isFresh(rate: Rate, ageMaxMs: number | undefined, nowMs: number): boolean {
  if (ageMaxMs === undefined) return true
  const ageMs = nowMs - rate.asOfMs
  return ageMs <= ageMaxMs && ageMs >= -AHEAD_MS
}

/** Wraps a source, and drops each rate that is older than `ageMaxMs`. */
export function freshPrices(prices: Prices, ageMaxMs: number | undefined, clock: Clock): Prices {
  return {
    readRate: async (source, destination) => {
      const rate = await prices.readRate(source, destination)
      return rate !== undefined && isFresh(rate, ageMaxMs, clock.nowMs()) ? rate : undefined
    },
  }
}
