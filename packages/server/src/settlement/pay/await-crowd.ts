import type { UnixSeconds } from '@sotto/protocol'
import { encodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import { drawDelay } from '../follow/plan-delivery.ts'
import { waitForCrowd } from '../follow/wait-for-crowd.ts'
import { underLease } from './keep-lease.ts'
import type { NextStep } from './next-step.ts'
import type { OpenedOrder } from './opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * The step that follows from a count of an order's crowd. When the crowd has come, a delay is drawn first. Otherwise a
 * delivery right after the deposit that completes a crowd would show that the delivery had waited for this deposit. At
 * the end of the delay, and before each further try, the crowd must still be there.
 */
export async function afterCount(
  { crowds }: Pick<SettleDependencies, 'crowds'>,
  opened: OpenedOrder,
): Promise<NextStep> {
  const isWaiting = opened.plan.crowdFromMs !== undefined
  if (await crowds.isThere(opened)) return isWaiting ? 'meet_crowd' : 'deliver'
  return isWaiting ? 'wait' : 'miss_crowd'
}

/** Plans a delivery if the crowd has come. If the crowd isn't there any more, the transfer waits again. */
export async function planForCrowd(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: 'meet_crowd' | 'miss_crowd',
  clock: UnixSeconds,
): Promise<void> {
  const { order, secrets } = opened
  const plan = encodePlan(
    step === 'meet_crowd' ? metPlan(d, opened, clock) : missedPlan(d, opened, clock),
  )
  await underLease(d, order, async (lease) => {
    await d.store.tryReplacePlan(lease, secrets.seal(order.orderId, 'plan', plan))
  })
}

function metPlan(
  d: SettleDependencies,
  { terms, plan, note }: OpenedOrder,
  clock: UnixSeconds,
): DeliveryPlan {
  // The least delay has passed already.
  const maxDelaySeconds = terms.maxDelaySeconds - terms.minDelaySeconds
  const delayMs = drawDelay(d, { minDelaySeconds: 0, maxDelaySeconds }, note.expiry, clock)
  return { ...plan, deliverAtMs: d.clock.nowMs() + delayMs, crowdFromMs: undefined }
}

function missedPlan(
  d: SettleDependencies,
  { terms: { crowd }, plan, note }: OpenedOrder,
  clock: UnixSeconds,
): DeliveryPlan {
  if (crowd === undefined) return plan
  return { ...plan, ...waitForCrowd(d, crowd, d.clock.nowMs(), note.expiry, clock) }
}
