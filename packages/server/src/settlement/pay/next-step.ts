import { floorToGrid, REFUND_WINDOW_SECONDS, type UnixSeconds } from '@sotto/protocol'
import { LANDING_SECONDS } from '../../domain/delivery-schedule.ts'
import { waitEnd, type CrowdWish } from '../../domain/crowd.ts'
import { witnessedClock } from '../../domain/followed-slot.ts'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'
import {
  deliverableUntil,
  isBalance,
  isLeftToOwner,
  isRefunding,
  type OpenedOrder,
} from './opened-order.ts'
import { hasFailed, PAUSE_MAX_MS } from './postpone.ts'

/** The next step of an order without a live attempt. */
export type NextStep =
  | 'wait'
  | 'deliver'
  | 'count_crowd'
  | 'meet_crowd'
  | 'miss_crowd'
  | 'leave'
  | 'begin_refund'
  | 'refund'
  | 'expire'
  | 'give_up'

/** Time to prove a settlement, before it is signed. */
export const PROVING_SECONDS = 30n

/**
 * Deadlines follow the chain's finalized clock (I5). The drawn delay and the pauses between tries follow the wall
 * clock. If the two clocks disagree so much that a delay would outlast its order, one of them has jumped, and the order
 * is paid now. A refund begins only once the wall clock, less the margin, has passed the expiry too, so that a delivery
 * isn't ended by one node's clock alone.
 */
export function nextStep(
  opened: OpenedOrder,
  head: FinalizedHead,
  nowMs: number,
  clockMarginSeconds?: bigint,
): NextStep {
  const { terms, plan, note } = opened
  if (isLeftToOwner(opened)) return 'leave'
  const clock = head.unixSeconds
  const witnessed = witnessedClock(clock, nowMs, clockMarginSeconds)
  if (opened.payment !== undefined) return nextOfPayment(opened, witnessed, nowMs)
  const waitMs = BigInt(plan.deliverAtMs - nowMs)
  if (witnessed > note.expiry + REFUND_WINDOW_SECONDS) return 'give_up'
  const isPausing = isPause(waitMs)
  if (clock > note.expiry) {
    if (witnessed <= note.expiry) return 'wait'
    if (!isRefunding(opened)) return 'begin_refund'
    // The public time of a refund is the last grid time before the clock. This grid time must be past the expiry too.
    return !isPausing && floorToGrid(clock) > note.expiry ? 'refund' : 'wait'
  }
  // A balance waits until its end, when its rest returns to the sender. Its owner pays out of it.
  if (isBalance({ terms })) return 'wait'
  const step = nextDelivery(opened, clock, waitMs)
  return terms.crowd === undefined ? step : nextOfCrowd(opened, terms.crowd, clock, nowMs, step)
}

const isPause = (waitMs: bigint): boolean => waitMs > 0n && waitMs <= PAUSE_MAX_MS

function nextDelivery(
  { plan, note }: Pick<OpenedOrder, 'plan' | 'note'>,
  clock: UnixSeconds,
  waitMs: bigint,
): 'wait' | 'deliver' {
  // After a failed try, the order pauses. If the pause lasts beyond the expiry, the next try is the refund.
  if (hasFailed({ plan })) return isPause(waitMs) ? 'wait' : 'deliver'
  // Proving and landing must end before the expiry, even with a long drawn delay.
  const leftMs = (note.expiry - clock - PROVING_SECONDS - LANDING_SECONDS) * 1_000n
  return waitMs <= 0n || waitMs > leftMs ? 'deliver' : 'wait'
}

/**
 * The next step of a transfer that asks for a crowd; `step` is the next step of the same transfer without a crowd.
 * Until the wait for the crowd ends, the crowd is counted before each try to deliver. After that, the transfer is
 * delivered without its crowd, or waits for its refund.
 */
function nextOfCrowd(
  { plan: { crowdFromMs }, note }: Pick<OpenedOrder, 'plan' | 'note'>,
  { missed }: CrowdWish,
  clock: UnixSeconds,
  nowMs: number,
  step: 'wait' | 'deliver',
): NextStep {
  const leftMs = (waitEnd(note.expiry) - clock) * 1_000n
  if (leftMs <= 0n) {
    if (missed === 'deliver') return step
    // The plan isn't changed any more. The refund reports a missed crowd only if the plan still waits for one, and not
    // if the crowd had come and the delivery failed.
    return 'wait'
  }
  if (crowdFromMs === undefined) return step === 'deliver' ? 'count_crowd' : 'wait'
  const waitMs = BigInt(crowdFromMs - nowMs)
  // Counting begins before the wait ends, so a later time means that one of the clocks has jumped.
  return waitMs <= 0n || waitMs > leftMs ? 'count_crowd' : 'wait'
}

/**
 * A payment out of a balance has no delay and no refund. It is paid at once, as long as its owner's signature is valid.
 */
function nextOfPayment(opened: OpenedOrder, clock: UnixSeconds, nowMs: number): NextStep {
  if (clock > deliverableUntil(opened)) return 'expire'
  const waitMs = opened.plan.deliverAtMs - nowMs
  const isPausing = hasFailed(opened) && waitMs > 0 && waitMs <= PAUSE_MAX_MS
  return isPausing ? 'wait' : 'deliver'
}
