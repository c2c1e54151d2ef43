import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/**
 * Lets callers that don't need the newest head share a recent one. So even many orders cause only a few requests per
 * second.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  const head = new SharedAnswer(() => chain.readHead(), clock)
  return { ...chain, readHead: async (ageMaxMs = 0) => head.read(ageMaxMs) }
}
