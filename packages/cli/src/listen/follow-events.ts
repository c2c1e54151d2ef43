import type { SottoClient } from '@sotto/sdk/server'
import { sleep } from '../clock.ts'
import { eventOf, type OrderEvent } from './order-event.ts'

export interface FollowOptions {
  /** One order, to its end; all of the account unless given. */
  readonly trackingId?: string | undefined
  /** Between two looks at the account's orders. */
  readonly intervalMs: number
  readonly signal: AbortSignal
}

/** Orders that a look goes through, newest first: enough for a developer, little for the service. */
const ORDERS_SEEN = 200
const PAGE = 100

/** One order's changes by the service's stream, to its end; how it stands now comes first. */
async function* followOrder(
  client: Pick<SottoClient, 'events'>,
  trackingId: string,
  signal: AbortSignal,
): AsyncGenerator<OrderEvent> {
  for await (const { order } of client.events(trackingId, { signal })) {
    const event = eventOf(order)
    if (event !== undefined) yield event
  }
}

/** Changes of the account's newest orders from now on. Streams are of one order each, so that it polls. */
export async function* pollAccount(
  client: Pick<SottoClient, 'orders'>,
  { intervalMs, signal }: FollowOptions,
): AsyncGenerator<OrderEvent> {
  let known: ReadonlyMap<string, string> | undefined
  for (;;) {
    const seen = new Map<string, string>()
    const events: OrderEvent[] = []
    for await (const order of client.orders({ signal, pageSize: PAGE })) {
      const { trackingId, status } = order
      seen.set(trackingId, status)
      // What the first look finds is no news.
      const isNews = known !== undefined && known.get(trackingId) !== status
      const event = isNews ? eventOf(order) : undefined
      if (event !== undefined) events.push(event)
      if (seen.size === ORDERS_SEEN) break
    }
    // Oldest first, as they were made.
    yield* events.reverse()
    known = seen
    await sleep(intervalMs, signal)
  }
}

/** Changes of orders, as webhooks would tell them. */
export function followEvents(
  client: Pick<SottoClient, 'events' | 'orders'>,
  options: FollowOptions,
): AsyncIterable<OrderEvent> {
  const { trackingId, signal } = options
  return trackingId === undefined
    ? pollAccount(client, options)
    : followOrder(client, trackingId, signal)
}
