import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderStatusRecord, SottoClient } from '../../packages/sdk/server.ts'
import { ENDS } from '../soak/draw-orders.ts'
import { NEXT } from '../soak/follow-order.ts'
import type { Ordered } from './customer.ts'

const POLL_MS = 700
/** If an order takes longer than this, it is stuck, even on a slow machine. */
const PATIENCE_MS = 300_000

/** The statuses of an order. They come from the event stream or from polling, because partners use both. */
async function* statusesOf(
  client: SottoClient,
  { drawn, order: { trackingId } }: Ordered,
): AsyncGenerator<OrderStatusRecord> {
  if (drawn.index % 2 === 1) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      for await (const { order } of client.events(trackingId, { signal })) yield order
    } catch (error) {
      if (!signal.aborted) throw error
    }
    return
  }
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    yield await client.status(trackingId)
    await sleep(POLL_MS)
  }
}

/** Follows an order until it is final. @throws Error that describes the fault. */
export async function followOrder(
  client: SottoClient,
  ordered: Ordered,
): Promise<OrderStatusRecord> {
  const { drawn } = ordered
  const name = `order ${drawn.index} (${drawn.kind}, ${drawn.fate})`
  let seen = 'awaiting_deposit'
  for await (const record of statusesOf(client, ordered)) {
    if (record.status !== seen && NEXT[seen]?.includes(record.status) !== true) {
      throw new Error(`${name} went from ${seen} to ${record.status}`)
    }
    seen = record.status
    if (!record.final) continue
    if (!ENDS[drawn.fate].includes(seen)) throw new Error(`${name} ended as ${seen}`)
    return record
  }
  const { status } = await client.status(ordered.order.trackingId)
  throw new Error(`${name} stayed ${seen}, and a request for its status says ${status}`)
}
