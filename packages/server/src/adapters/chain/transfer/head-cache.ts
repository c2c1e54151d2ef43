import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/**
 * Lets callers that don't need the newest head share a recent one. Any number of orders then causes only a few requests
 * per second.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  const head = new SharedAnswer(() => chain.readHead(), clock)
  return { ...chain, readHead: async (ageMaxMs = 0) => head.read(ageMaxMs) }
}
