import { encodePlan } from '../domain/order-secrets.ts'
import type { Lease } from '../ports/settle-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import type { OpenedOrder } from './open-note.ts'
import { refundTime } from './public-time.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Gives an order up for delivery. The caller has shown, at finality, that the clock is past the
 * expiry and after that that the nullifier is absent; the store adds that no attempt is live. From
 * here on the note can only be refunded, by anyone.
 */
export async function beginRefund(
  d: SettleDependencies,
  { order, secrets, plan }: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const nowMs = d.clock.nowMs()
  // The refund is due at once, whatever time was drawn for the delivery.
  const next = encodePlan({ ...plan, deliverAtMs: nowMs })
  const sealedPlan = secrets.seal(order.orderId, 'plan', next)
  if (await d.store.tryBeginRefund(lease, sealedPlan, nowMs)) d.log.event('refund_begun')
}

/** Pays a note back to its sender, once the grid has passed its expiry. */
export async function refund(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const time = refundTime(await d.chain.readClock(), opened.note.expiry)
  if (time === undefined) return
  await attemptSettlement(d, opened, lease, { isRefund: true, time })
}
