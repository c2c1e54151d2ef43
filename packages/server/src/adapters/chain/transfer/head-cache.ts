import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/**
 * Lets callers share a recent head if they don't need the newest one. With this cache, even many orders cause only a
 * few requests per second.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  const head = new SharedAnswer(() => chain.readHead(), clock)
  return { ...chain, readHead: async (ageMaxMs = 0) => head.read(ageMaxMs) }
}
