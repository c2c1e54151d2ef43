import type { OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { MemoryAttempt, MemorySettlement } from './memory-database.ts'

/** The initial settlement state of an order. */
export function newSettlement(status: OrderStatus): MemorySettlement {
  return {
    status,
    sealedPlan: undefined,
    sealedOutcome: undefined,
    leaseOwner: undefined,
    leaseUntilMs: undefined,
    leaseFence: 0n,
    finalHourMs: undefined,
    attempts: [],
  }
}

/** The attempt that may still land; undefined if there is none. */
export const liveOf = (side: MemorySettlement | undefined): MemoryAttempt | undefined =>
  side?.attempts.find(({ state }) => state === 'live')

/** Releases the settlement's lease. */
export function free(side: MemorySettlement): void {
  side.leaseOwner = undefined
  side.leaseUntilMs = undefined
}

/** Ends the settlement's live attempt. Returns false if the attempt with this number isn't live. */
export function end(
  side: MemorySettlement | undefined,
  number: number,
  state: 'landed' | 'dead',
): boolean {
  const live = liveOf(side)
  if (live?.number !== number) return false
  live.state = state
  return true
}
