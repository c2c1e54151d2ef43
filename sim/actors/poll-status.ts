import { canBecome, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { Customer } from './customer.ts'
import type { PlacedOrder } from './place-order.ts'

const POLL_MS = 120_000

/** Asks for the status until it is final, and holds every answer against the one before. */
export async function pollStatus(customer: Customer, order: PlacedOrder): Promise<void> {
  const { world, random } = customer
  let before: OrderStatus = 'awaiting_deposit'
  for (;;) {
    const pauseMs = random.between(POLL_MS / 2, 2 * POLL_MS)
    await world.timeline.pause(pauseMs)
    const answer = await world.api.status(order.trackingId).catch(() => undefined)
    if (answer === undefined) continue
    const { status, final } = answer.order
    if (status !== before && !canReach(before, status)) {
      world.watch.fail('a status never goes back', `${before} then ${status}`)
    }
    before = status
    if (final) return
  }
}

/** Whether the state machine leads there in any number of steps. */
export function canReach(from: OrderStatus, to: OrderStatus): boolean {
  const nexts = (['deposited', 'delivering', 'refunding', to] as const).filter(
    (next) => next !== from && canBecome(from, next),
  )
  return nexts.includes(to) || nexts.some((next) => next !== to && canReach(next, to))
}
