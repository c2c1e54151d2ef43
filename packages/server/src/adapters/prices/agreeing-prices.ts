import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'
import { isFresh } from './fresh-prices.ts'

const BPS = 10_000n

/** Whether two rates differ by no more than a share of the smaller one, in hundredths of a percent. */
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
  /** A rate that is older quotes nothing; undefined where a rate holds until it is replaced. */
  readonly ageMaxMs: number | undefined
}

/**
 * Several sources of which every two must agree, or nothing is quoted; of those that do the lowest rate is
 * taken, so that neither can make the pool pay more than the other would. Ages count when all have
 * answered: a rate may have been kept for a moment, or have waited for a slower source.
 *
 * @param disagreed is told that two sources contradict each other: one is wrong, or the market is torn.
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
