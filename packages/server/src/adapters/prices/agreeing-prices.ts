import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'
import { isFresh } from './fresh-prices.ts'

const BPS = 10_000n

/** True if two rates differ by at most `deviationBps` hundredths of a percent of the smaller rate. */
function agree(left: Rate, right: Rate, deviationBps: bigint): boolean {
  const ofLeft = left.numerator * right.denominator
  const ofRight = right.numerator * left.denominator
  const [less, more] = ofLeft < ofRight ? [ofLeft, ofRight] : [ofRight, ofLeft]
  return (more - less) * BPS <= less * deviationBps
}

const lower = (left: Rate, right: Rate): Rate =>
  right.numerator * left.denominator < left.numerator * right.denominator ? right : left

export interface PriceSource {
  readonly prices: Prices
  /** Maximum age of a rate; undefined if a rate stays valid until the source replaces it. */
  readonly ageMaxMs: number | undefined
}

/**
 * Combines several sources of rates. If any two of them disagree, there is no rate. Otherwise the lowest rate is used,
 * so a source can't make the pool pay more than the other sources' rates. A rate becomes older while it is cached or
 * waits for a slower source, so ages are checked after all sources have answered.
 *
 * @param disagreed is called if two sources disagree. Then one source is wrong, or the markets diverge.
 */
export function agreeingPrices(
  sources: readonly PriceSource[],
  deviationBps: number,
  clock: Clock,
  disagreed: () => void,
): Prices {
  const bound = BigInt(deviationBps)
  return {
    readRate: async (source, destination) => {
      const rates: Rate[] = []
      const answers = await Promise.all(
        sources.map(({ prices }) => prices.readRate(source, destination)),
      )
      for (const [index, rate] of answers.entries()) {
        if (rate === undefined) return undefined
        if (!isFresh(rate, sources[index]?.ageMaxMs, clock.nowMs())) return undefined
        if (!rates.every((other) => agree(rate, other, bound))) {
          disagreed()
          return undefined
        }
        rates.push(rate)
      }
      const [first, ...others] = rates
      if (first === undefined) return undefined
      const asOfMs = Math.min(...rates.map((rate) => rate.asOfMs))
      return { ...others.reduce(lower, first), asOfMs }
    },
  }
}
