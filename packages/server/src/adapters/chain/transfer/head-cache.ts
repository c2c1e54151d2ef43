import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/**
 * Lets callers that don't need the newest head share a recent one: a node is queried a few times a second, however
 * many orders are made.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  const head = new SharedAnswer(() => chain.readHead(), clock)
  return { ...chain, readHead: async (ageMaxMs = 0) => head.read(ageMaxMs) }
}
