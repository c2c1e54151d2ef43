import type { SottoClient } from '@sotto/sdk/server'
import { sleep } from '../clock.ts'
import { eventOf, type OrderEvent } from './order-event.ts'

type Client = Pick<SottoClient, 'orders' | 'status'>

export interface PollOptions {
  /** One order; all of the account unless given. */
  readonly trackingId?: string | undefined
  readonly intervalMs: number
  readonly signal: AbortSignal
}

/** Orders that a look goes through, newest first: enough for a developer, little for the service. */
const ORDERS_SEEN = 200
const PAGE = 100

/** Every change of one order from now on, to its end; how it stands now comes first. */
export async function* pollOrder(
  client: Client,
  trackingId: string,
  { intervalMs, signal }: PollOptions,
): AsyncGenerator<OrderEvent> {
  let known: string | undefined
  for (;;) {
    const record = await client.status(trackingId, { signal })
    if (record.status !== known) yield eventOf(record)
    if (record.final) return
    known = record.status
    await sleep(intervalMs, signal)
  }
}

/** Every change of the account's newest orders from now on. */
export async function* pollAccount(
  client: Client,
  { intervalMs, signal }: PollOptions,
): AsyncGenerator<OrderEvent> {
  let known: ReadonlyMap<string, string> | undefined
  for (;;) {
    const seen = new Map<string, string>()
    for await (const { trackingId, status } of client.orders({ signal, pageSize: PAGE })) {
      seen.set(trackingId, status)
      if (seen.size === ORDERS_SEEN) break
    }
    // Oldest first, as they were made. What the first look finds is no news.
    for (const [trackingId, status] of [...seen].reverse()) {
      if (known === undefined || known.get(trackingId) === status) continue
      yield eventOf(await client.status(trackingId, { signal }))
    }
    known = seen
    await sleep(intervalMs, signal)
  }
}

/** Changes of orders, seen by asking for them again and again. */
export function pollEvents(client: Client, options: PollOptions): AsyncIterable<OrderEvent> {
  const { trackingId } = options
  return trackingId === undefined
    ? pollAccount(client, options)
    : pollOrder(client, trackingId, options)
}
