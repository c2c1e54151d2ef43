import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'
import { SharedAnswers } from '../../running/shared-answer.ts'

/**
 * Time for which a rate is shared. Sources allow only a few requests per second. A price is refused only at a much
 * greater age.
 */
const KEPT_MS = 2_000
/** Maximum number of cached pairs, which limits memory. The assets of an operator form fewer pairs. */
const PAIRS_MAX = 100_000

/** Lets all callers that need the rate of a pair within two seconds share one request to the sources. */
export function sharedPrices(prices: Prices, clock: Clock): Prices {
  const rates = new SharedAnswers<Rate | undefined>(clock, PAIRS_MAX)
  return {
    readRate: async (source, destination) => {
      const ask = () => prices.readRate(source, destination)
      return rates.of(`${source} ${destination}`, ask).read(KEPT_MS)
    },
  }
}
