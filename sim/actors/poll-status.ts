import type { OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import { canReach } from '../check/can-reach.ts'
import type { Client } from './client.ts'
import type { PlacedOrder } from './placed-order.ts'

const POLL_MS = 120_000
const STUCK_MS = 86_400_000

/** Polls the status until it is final, and compares every answer with the previous one. */
export async function pollStatus(customer: Client, order: PlacedOrder): Promise<void> {
  const { stage, api, random } = customer
  let before: OrderStatus = 'awaiting_deposit'
  for (;;) {
    // An order of a stuck customer can wait for weeks, so the customer polls less often.
    const pauseMs = customer.isStuck ? STUCK_MS : random.between(POLL_MS / 2, 2 * POLL_MS)
    await stage.timeline.pause(pauseMs)
    const answer = await api.status(order.trackingId).catch(() => undefined)
    if (answer === undefined) continue
    const { status, final } = answer.order
    if (status !== before && !canReach(before, status)) {
      stage.watch.fail('a status never goes back', `${before} then ${status}`)
    }
    before = status
    if (final) return
  }
}
