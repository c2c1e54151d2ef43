import { encodePlan, type OutcomeReason } from '../domain/order-secrets.ts'
import type { Lease } from '../ports/settle-store.ts'
import type { OpenedOrder } from './open-note.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Puts an order off for some milliseconds; with a reason, its refund will give it if nothing better
 * comes before the expiry.
 */
export async function postpone(
  d: Pick<SettleDependencies, 'store' | 'clock'>,
  { order, secrets, plan }: OpenedOrder,
  lease: Lease,
  pauseMs: number,
  reason?: OutcomeReason,
): Promise<void> {
  const deliverAtMs = d.clock.nowMs() + pauseMs
  const next = encodePlan({ deliverAtMs, reason: reason ?? plan.reason })
  await d.store.tryReplacePlan(lease, secrets.seal(order.orderId, 'plan', next))
}
