import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'
import { SharedAnswer } from '../remote/shared-answer.ts'

/** Well under the age at which a price quotes nothing; sources allow a few questions a second. */
const KEPT_MS = 2_000

/** Lets everybody who asks for a pair within two seconds share one question to its sources. */
export function sharedPrices(prices: Prices, clock: Clock): Prices {
  // No more pairs than the operator's assets make.
  const pairs = new Map<string, SharedAnswer<Rate | undefined>>()
  return {
    readRate: async (source, destination) => {
      const pair = `${source} ${destination}`
      let shared = pairs.get(pair)
      if (shared === undefined) {
        shared = new SharedAnswer(() => prices.readRate(source, destination), clock)
        pairs.set(pair, shared)
      }
      return shared.read(KEPT_MS)
    },
  }
}
