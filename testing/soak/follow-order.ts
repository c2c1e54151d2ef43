import { setTimeout as sleep } from 'node:timers/promises'
import type { Status } from '../../demo/src/service-api.ts'
import { ENDS } from './draw-orders.ts'
import type { Placed } from './customer.ts'
import type { ServiceClient } from './service-client.ts'

const POLL_MS = 1_500
/** If an order takes longer than this, it is stuck, even on a slow machine. */
const PATIENCE_MS = 900_000

export const NEXT: Readonly<Record<string, readonly string[]>> = {
  awaiting_deposit: ['deposited', 'delivering', 'delivered', 'refunding', 'refunded', 'expired'],
  deposited: ['delivering', 'delivered', 'refunding', 'refunded'],
  delivering: ['delivered', 'refunding', 'refunded'],
  refunding: ['refunded'],
}

/** Polls an order until it is final; returns the violations found. */
export async function followOrder(
  client: ServiceClient,
  { drawn, order }: Placed,
): Promise<{ readonly status: Status; readonly wrong: readonly string[] }> {
  const wrong: string[] = []
  const name = `order ${drawn.index} (${drawn.kind}, ${drawn.fate})`
  let seen = 'awaiting_deposit'
  for (let waited = 0; ; waited += POLL_MS) {
    const path = `/status/${order.trackingId}`
    const { order: status } = await client.call<{ order: Status }>('GET', path)
    if (status.status !== seen && NEXT[seen]?.includes(status.status) !== true) {
      wrong.push(`${name} went from ${seen} to ${status.status}`)
    }
    seen = status.status
    if (status.final) {
      if (!ENDS[drawn.fate].includes(seen)) wrong.push(`${name} ended as ${seen}`)
      return { status, wrong }
    }
    if (waited >= PATIENCE_MS) return { status, wrong: [...wrong, `${name} stayed ${seen}`] }
    await sleep(POLL_MS)
  }
}
