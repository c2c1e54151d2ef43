import type { SottoClient } from '@sotto/sdk/server'
import { sleep } from '../clock.ts'
import { eventOf, type OrderEvent, type Status } from './order-event.ts'

export interface FollowOptions {
  /** The order to follow until its end. If undefined, the newest orders of the account are followed. */
  readonly trackingId?: string | undefined
  /** Polling interval for the account's orders, in milliseconds. */
  readonly intervalMs: number
  readonly signal: AbortSignal
}

/** Number of newest orders that each poll reads. It is enough for a developer, and a small load for the service. */
const ORDERS_SEEN = 200
const PAGE = 100

/**
 * The status changes of one order, from the service's stream, until the order ends. The first event is the order's
 * current status, unless the order still waits for its deposit or signature.
 */
async function* followOrder(
  client: Pick<SottoClient, 'events'>,
  trackingId: string,
  signal: AbortSignal,
): AsyncGenerator<OrderEvent> {
  // An earlier run of this command may have reported `deposited`. If the first status is now `expired`, this value gives
  // its event a later sequence number.
  let before: Status | undefined = 'deposited'
  for await (const { order } of client.events(trackingId, { signal })) {
    const event = eventOf(order, before)
    before = order.status
    if (event !== undefined) yield event
  }
}

/**
 * Status changes of the account's newest orders, starting now. The orders are polled, because a stream covers only
 * one order.
 */
export async function* pollAccount(
  client: Pick<SottoClient, 'orders'>,
  { intervalMs, signal }: FollowOptions,
): AsyncGenerator<OrderEvent> {
  let known: ReadonlyMap<string, Status> | undefined
  for (;;) {
    const seen = new Map<string, Status>()
    const events: OrderEvent[] = []
    for await (const order of client.orders({ signal, pageSize: PAGE })) {
      const { trackingId, status } = order
      seen.set(trackingId, status)
      // A status that the first poll finds isn't a change, so don't report it.
      const before = known?.get(trackingId)
      const isNews = known !== undefined && before !== status
      const event = isNews ? eventOf(order, before) : undefined
      if (event !== undefined) events.push(event)
      if (seen.size === ORDERS_SEEN) break
    }
    // The service lists the newest orders first. Report the changes of older orders first.
    yield* events.reverse()
    known = seen
    await sleep(intervalMs, signal)
  }
}

/** Status changes of orders, in the same format as webhooks. */
export function followEvents(
  client: Pick<SottoClient, 'events' | 'orders'>,
  options: FollowOptions,
): AsyncIterable<OrderEvent> {
  const { trackingId, signal } = options
  return trackingId === undefined
    ? pollAccount(client, options)
    : followOrder(client, trackingId, signal)
}
