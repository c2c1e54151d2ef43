import { floorToGrid, LANDING_SECONDS, lastRefundClock, type UnixSeconds } from '@sotto/protocol'
import { waitEnd, type CrowdWish } from '../../domain/crowd.ts'
import { boundedWallMs, witnessedClock } from '../../domain/followed-slot.ts'
import { isRefunding } from '../../domain/order-state.ts'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'
import {
  deliverableUntil,
  isBalance,
  isLeftToOwner,
  type OpenedOrder,
} from '../notes/opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
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

/** Seconds reserved for the proof of a settlement, before the transaction is signed. */
export const PROVING_SECONDS = 30n

/**
 * Returns the chain's time that decides whether a wait is shortened. With several nodes, either the wall clock or a
 * second node must confirm the clock that one node shows. Without this rule, one false clock near the expiry would end
 * the drawn delays of all orders at once. The wall clock alone wouldn't be enough: if it were set back, orders would be
 * delivered too late.
 */
export function confirmedTime(
  { clockMarginSeconds, witness }: Pick<SettleDependencies, 'clockMarginSeconds' | 'witness'>,
  { unixSeconds }: FinalizedHead,
  nowMs: number,
): UnixSeconds {
  if (witness === undefined) return unixSeconds
  const byNodes = witness.confirmed(unixSeconds)
  const byWall = witnessedClock(
    unixSeconds,
    nowMs,
    clockMarginSeconds === undefined ? undefined : 0n,
  )
  return byNodes > byWall ? byNodes : byWall
}

/**
 * Returns the next step of an order. Deadlines follow the chain's finalized clock (invariant I5). The drawn delay and
 * the pauses between tries follow the wall clock. For the delay, the wall clock counts as at most `time` plus the
 * margin. `time` also decides how long an order may still wait: see `confirmedTime`. If the delay would last longer
 * than that, one of the clocks has jumped, and the order is paid now. A refund begins only if the wall clock, minus the
 * margin, has also passed the expiry. So one node's false clock can't end a delivery early.
 */
export function nextStep(
  opened: OpenedOrder,
  head: FinalizedHead,
  nowMs: number,
  clockMarginSeconds?: bigint,
  time: UnixSeconds = head.unixSeconds,
): NextStep {
  const { terms, plan, note } = opened
  if (isLeftToOwner(opened)) return 'leave'
  const clock = head.unixSeconds
  const witnessed = witnessedClock(clock, nowMs, clockMarginSeconds)
  if (opened.payment !== undefined) return nextOfPayment(opened, witnessed, nowMs)
  const waitMs = BigInt(plan.deliverAtMs - nowMs)
  if (witnessed > lastRefundClock(note.expiry)) return 'give_up'
  const isPausing = isPause(waitMs)
  if (clock > note.expiry) {
    if (witnessed <= note.expiry) return 'wait'
    if (!isRefunding(opened)) return 'begin_refund'
    // The public time of a refund is the last multiple of 600 seconds that the clock has reached. It must be after the
    // expiry.
    return !isPausing && floorToGrid(clock) > note.expiry ? 'refund' : 'wait'
  }
  // Until a balance ends, only its owner pays out of it. After its end, the rest returns to the sender.
  if (isBalance({ terms })) return 'wait'
  const delayedMs = boundedWallMs(nowMs, time, clockMarginSeconds)
  const afterPause = hasFailed(opened) ? nextTry(waitMs) : 'deliver'
  const afterDelay = nextDelivery(opened, time, BigInt(plan.deliverAtMs - delayedMs))
  if (terms.crowd === undefined) return hasFailed(opened) ? afterPause : afterDelay
  // After a failed try, the crowd may have been lost and complete again. Then a new delay was drawn. The plan doesn't
  // show whether its time ends a pause or a delay. So it counts as both, and the later end counts.
  const step = afterPause === 'deliver' ? afterDelay : 'wait'
  return nextOfCrowd(opened, terms.crowd, { clock, time, nowMs: delayedMs }, step)
}

const isPause = (waitMs: bigint): boolean => waitMs > 0n && waitMs <= PAUSE_MAX_MS

/** After a failed try, the order pauses. If the pause ends after the expiry, the next try is the refund. */
const nextTry = (waitMs: bigint): 'wait' | 'deliver' => (isPause(waitMs) ? 'wait' : 'deliver')

function nextDelivery(
  { note }: Pick<OpenedOrder, 'note'>,
  time: UnixSeconds,
  waitMs: bigint,
): 'wait' | 'deliver' {
  // The settlement must be proved and land before the expiry, even if the drawn delay is long.
  const leftMs = (note.expiry - time - PROVING_SECONDS - LANDING_SECONDS) * 1_000n
  return waitMs <= 0n || waitMs > leftMs ? 'deliver' : 'wait'
}

/**
 * Returns the next step of a transfer that asks for a crowd. `step` is the next step that it would have without a
 * crowd. Until the wait for the crowd ends, the crowd is counted before each try to deliver. After the wait, the
 * transfer is delivered without a crowd, or waits for its refund.
 */
function nextOfCrowd(
  { plan: { crowdFromMs }, note }: Pick<OpenedOrder, 'plan' | 'note'>,
  { missed }: CrowdWish,
  {
    clock,
    time,
    nowMs,
  }: { readonly clock: UnixSeconds; readonly time: UnixSeconds; nowMs: number },
  step: 'wait' | 'deliver',
): NextStep {
  if (clock >= waitEnd(note.expiry)) {
    if (missed === 'deliver') return step
    // From now on, the plan doesn't change. If it still waits for a crowd, the refund reports a missed crowd. If the
    // crowd had been complete and the delivery failed, the plan no longer waits, and the refund reports another reason.
    return 'wait'
  }
  if (crowdFromMs === undefined) return step === 'deliver' ? 'count_crowd' : 'wait'
  const waitMs = BigInt(crowdFromMs - nowMs)
  const leftMs = (waitEnd(note.expiry) - time) * 1_000n
  // Counting always begins before the wait ends. If the stored time is later, a clock has jumped.
  return waitMs <= 0n || waitMs > leftMs ? 'count_crowd' : 'wait'
}

/**
 * Returns the next step of a payment out of a balance. A payment has no delay and no refund. It is tried at once, and
 * again after a failure, as long as its owner's signature is valid.
 */
function nextOfPayment(opened: OpenedOrder, clock: UnixSeconds, nowMs: number): NextStep {
  if (clock > deliverableUntil(opened)) return 'expire'
  const waitMs = opened.plan.deliverAtMs - nowMs
  const isPausing = hasFailed(opened) && waitMs > 0 && waitMs <= PAUSE_MAX_MS
  return isPausing ? 'wait' : 'deliver'
}
