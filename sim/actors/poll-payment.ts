import type { OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { BalanceOwner } from './balance-owner.ts'
import type { OrderedPayment } from './payment-client.ts'

const POLL_MS = 120_000

const NEXT: Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  awaiting_signature: ['delivering', 'delivered', 'expired'],
  delivering: ['delivered', 'expired'],
}

/** Polls a payment's status until it is final, and compares every answer with the previous one. */
export async function pollPayment(owner: BalanceOwner, payment: OrderedPayment): Promise<void> {
  const { stage, random } = owner
  let before: OrderStatus = 'awaiting_signature'
  for (;;) {
    await stage.timeline.pause(random.between(POLL_MS / 2, 2 * POLL_MS))
    const answer = await payment.api.status(payment.trackingId).catch(() => undefined)
    if (answer === undefined) continue
    const { status, final } = answer.order
    if (status !== before && NEXT[before]?.includes(status) !== true) {
      stage.watch.fail('a status never goes back', `payment ${before} then ${status}`)
    }
    before = status
    if (final) return
  }
}
