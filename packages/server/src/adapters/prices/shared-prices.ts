import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'
import { SharedAnswers } from '../../running/shared-answer.ts'

/** Well under the age at which a price quotes nothing; sources allow a few questions a second. */
const KEPT_MS = 2_000
/** More than an operator's assets make. */
const PAIRS_MAX = 100_000

/** Lets everybody who asks for a pair within two seconds share one question to its sources. */
export function sharedPrices(prices: Prices, clock: Clock): Prices {
  const rates = new SharedAnswers<Rate | undefined>(clock, PAIRS_MAX)
  return {
    readRate: async (source, destination) => {
      const ask = () => prices.readRate(source, destination)
      return rates.of(`${source} ${destination}`, ask).read(KEPT_MS)
    },
  }
}
