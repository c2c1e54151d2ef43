import type { UnixSeconds } from '@sotto/protocol'
import { waitEnd } from '../../domain/crowd.ts'
import { boundedWallMs } from '../../domain/followed-slot.ts'
import { encodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import { drawDelay, roomSeconds } from '../follow/plan-delivery.ts'
import {
  delaysAfterCrowd,
  lastCountSeconds,
  waitForCrowd,
  type DrawTime,
} from '../follow/wait-for-crowd.ts'
import { underLease } from './keep-lease.ts'
import type { NextStep } from './next-step.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** True for a step that only writes a plan and needs no proof. */
export const isPlanning = (step: NextStep): step is 'meet_crowd' | 'miss_crowd' =>
  step === 'meet_crowd' || step === 'miss_crowd'

/**
 * Returns the step that follows from counting an order's crowd. When the crowd is complete, a delay is drawn before the
 * delivery. Without this delay, the delivery would come right after the deposit that completes the crowd, and would
 * show that it had waited for that deposit. If the rest of the wait is too short for such a delay, the crowd counts as
 * missed. At the end of the delay, and before each later try, the crowd must still be complete.
 */
export async function afterCount(
  d: Pick<SettleDependencies, 'crowds' | 'delayLaw'>,
  opened: OpenedOrder,
  clock: UnixSeconds,
): Promise<NextStep> {
  const isWaiting = opened.plan.crowdFromMs !== undefined
  if (isWaiting && isTooLate(d, opened, clock)) return 'wait'
  if (await d.crowds.isThere(opened, clock)) return isWaiting ? 'meet_crowd' : 'deliver'
  return isWaiting ? 'wait' : 'miss_crowd'
}

/**
 * True if the rest of the wait is shorter than the mean of the delays that would be drawn. The end of the wait would
 * then cut the delay short. So the delivery would seem to follow the deposit that completes the crowd.
 */
const isTooLate = (
  { delayLaw }: Pick<SettleDependencies, 'delayLaw'>,
  { terms, note }: OpenedOrder,
  clock: UnixSeconds,
): boolean => waitEnd(note.expiry) - clock < lastCountSeconds(delayLaw, terms)

/**
 * Writes the plan that follows from a count. `meet_crowd`: the crowd is complete, so a delivery time is drawn.
 * `miss_crowd`: the crowd isn't complete any more, so the transfer waits again.
 */
export async function planForCrowd(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: 'meet_crowd' | 'miss_crowd',
  clock: UnixSeconds,
): Promise<void> {
  const { order, secrets } = opened
  const ms = boundedWallMs(d.clock.nowMs(), clock, d.clockMarginSeconds)
  const now = { seconds: clock, ms }
  const plan = encodePlan(
    step === 'meet_crowd' ? metPlan(d, opened, now) : missedPlan(d, opened, now),
  )
  await underLease(d, order, async (lease) => {
    await d.store.tryReplacePlan(lease, secrets.seal(order.orderId, 'plan', plan), order.sealedPlan)
  })
}

/** The transfer is due at its new time, also if an earlier try has failed. */
const NEW_TIME = { firstDueMs: undefined }

function metPlan(
  d: SettleDependencies,
  { terms, plan, note }: OpenedOrder,
  now: DrawTime,
): DeliveryPlan {
  const delayMs = drawDelay(d, delaysAfterCrowd(terms), roomSeconds(note.expiry, now.seconds))
  return { ...plan, ...NEW_TIME, deliverAtMs: now.ms + delayMs, crowdFromMs: undefined }
}

function missedPlan(
  d: SettleDependencies,
  { terms: { crowd }, plan, note }: OpenedOrder,
  now: DrawTime,
): DeliveryPlan {
  if (crowd === undefined) return plan
  return { ...plan, ...NEW_TIME, ...waitForCrowd(d, crowd, now.ms, note.expiry, now) }
}
