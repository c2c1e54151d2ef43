import { floorToGrid, REFUND_WINDOW_SECONDS } from '@sotto/protocol'
import type { FinalizedHead } from '../ports/chain-follow.ts'
import type { OpenedOrder } from './open-note.ts'

/** What an order without a live attempt needs now. */
export type NextStep = 'wait' | 'deliver' | 'begin_refund' | 'refund' | 'give_up'

/**
 * Deadlines follow the chain's finalized clock (I5); only the drawn delay and the pauses between
 * tries follow the wall clock.
 */
export function nextStep(
  { order, plan, note }: OpenedOrder,
  head: FinalizedHead,
  nowMs: number,
): NextStep {
  const clock = head.unixSeconds
  const isDue = nowMs >= plan.deliverAtMs
  if (clock > note.expiry + REFUND_WINDOW_SECONDS) return 'give_up'
  if (clock > note.expiry) {
    if (order.status !== 'refunding') return 'begin_refund'
    // The public time of a refund is the grid time behind the clock and must itself be past expiry.
    return isDue && floorToGrid(clock) > note.expiry ? 'refund' : 'wait'
  }
  return isDue ? 'deliver' : 'wait'
}
