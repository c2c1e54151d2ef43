import type { UnixSeconds } from '@sotto/protocol'
import { witnessedClock } from '../../../domain/followed-slot.ts'
import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'

/**
 * Wraps a chain. If the chain's time is later than the wall clock's time, returns the wall clock's time instead. A
 * single node states the chain's time. If a node stated a much later time, the authorisation of a swap would be valid
 * for half an hour instead of minutes. Its holder could then wait for a better price. Reservations would also seem to
 * have ended.
 */
export function withBoundedClock(chain: Chain, clock: Clock): Chain {
  const bounded = (seconds: UnixSeconds) => witnessedClock(seconds, clock.nowMs(), 0n)
  return {
    ...chain,
    readClock: async () => bounded(await chain.readClock()),
    readHead: async (ageMaxMs) => {
      const head = await chain.readHead(ageMaxMs)
      return { ...head, unixSeconds: bounded(head.unixSeconds) }
    },
  }
}
