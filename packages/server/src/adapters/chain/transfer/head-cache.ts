import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/**
 * Lets whoever doesn't need the newest head share one that was asked for not long ago: a node is asked
 * a few times a second, however many orders are made.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  const head = new SharedAnswer(() => chain.readHead(), clock)
  return { ...chain, readHead: async (ageMaxMs = 0) => head.read(ageMaxMs) }
}
