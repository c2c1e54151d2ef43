import type { OrderStatusRecord } from '@sotto/contract'
import { EXPIRED_LATE, sequenceOf } from '../../domain/order-event.ts'
import type { OutboxStore } from '../../ports/outbox-store.ts'
import type { StatusChanges } from '../../ports/status-changes.ts'
import { findOwn, readStatus, type StatusDependencies } from './read-status.ts'

export interface WatchDependencies extends StatusDependencies {
  readonly outbox: Pick<OutboxStore, 'namesOf'>
  readonly changes: StatusChanges
}

/** A status that the order has reached. */
export interface StatusChange {
  readonly sequence: number
  readonly order: OrderStatusRecord
}

/** Polling interval, in milliseconds. Polling is needed because a notification may be lost with its connection. */
const POLL_MS = 5_000

/**
 * Yields the statuses of an account's order after a sequence number, each in the form of GET status. The generator ends
 * when the signal aborts, or after a final status. A final status is always yielded, even if its sequence number isn't
 * new. The status is read before the first value is requested. So an order that GET status doesn't show fails
 * immediately.
 *
 * @throws ServiceError ORDER_NOT_FOUND. The generator throws it too, if the key of a payment is destroyed meanwhile.
 */
export async function watchStatus(
  d: WatchDependencies,
  accountId: string,
  trackingId: string,
  after: number,
  signal: AbortSignal,
): Promise<AsyncGenerator<StatusChange, void, undefined>> {
  const order = await findOwn(d.orders, accountId, trackingId)
  await readStatus(d, accountId, trackingId)
  const names = await d.outbox.namesOf(order)
  return watch(d, { accountId, trackingId, names }, after, signal)
}

async function* watch(
  d: WatchDependencies,
  { accountId, trackingId, names }: { accountId: string; trackingId: string; names: string[] },
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StatusChange, void, undefined> {
  let last = after
  while (!signal.aborted) {
    const pause = new AbortController()
    const stop = () => pause.abort()
    signal.addEventListener('abort', stop)
    try {
      // The subscription starts before the read, so that no later change is missed.
      const changed = d.changes.next(names, pause.signal)
      const { order } = await readStatus(d, accountId, trackingId)
      const isLate = order.payment !== undefined || isAfterDeposit(last)
      const sequence = sequenceOf(order.status, isLate)
      if (sequence > last || order.final) yield { sequence, order }
      if (order.final) return
      last = Math.max(last, sequence)
      await Promise.race([changed, d.clock.sleep(POLL_MS, pause.signal)])
    } finally {
      signal.removeEventListener('abort', stop)
      pause.abort()
    }
  }
}

/**
 * True if `expired` follows `deposited`. In this case a node had reported a deposit that didn't exist, and the client
 * has already seen `deposited`.
 */
const isAfterDeposit = (last: number): boolean =>
  last >= sequenceOf('deposited') && last < EXPIRED_LATE
