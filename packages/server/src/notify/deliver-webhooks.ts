import type { WebhookSend } from '../domain/order-event.ts'
import { PAUSE_MAX_MS } from '../domain/webhook-retries.ts'
import type { StoredEvent } from '../ports/outbox-store.ts'
import type { WorkInHand } from '../settlement/work-in-hand.ts'
import type { NotifyDependencies } from './notify-dependencies.ts'
import { sendOnce } from './send-once.ts'

/**
 * How long a worker that died keeps a change from the others; must exceed the time that one attempt may
 * take, or a slow endpoint gets each message twice.
 */
export const LEASE_MS = 30_000
/** Changes taken at once: no more than are begun before a lease has run far. */
const BATCH = 50

/**
 * Begins to send what is due, and returns how many changes that were. What a change's endpoints answered
 * is written once all have: a worker that dies in between leaves it to be sent again, under the same id.
 */
export async function deliverDue(
  d: NotifyDependencies,
  inHand: WorkInHand,
  signal: AbortSignal,
): Promise<number> {
  const due = await d.outbox.claimDue(d.clock.nowMs(), LEASE_MS, BATCH)
  for (const stored of due) {
    await inHand.room()
    // What isn't begun waits for the end of its lease.
    if (signal.aborted) break
    inHand.start(`${stored.name} ${stored.fence}`, async () => {
      try {
        await deliver(d, stored)
      } catch (error) {
        d.log.failed('webhook', error)
      }
    })
  }
  return due.length
}

async function deliver(d: NotifyDependencies, stored: StoredEvent): Promise<void> {
  const { event } = stored
  const webhooks = await d.webhooks.list(event.accountId)
  const nowMs = d.clock.nowMs()
  const planned =
    event.sends ??
    webhooks
      .filter(({ disabledAtMs }) => disabledAtMs === undefined)
      .map(({ id }) => newSend(id, nowMs))
  const sends = await Promise.all(
    planned.map(async (send) => {
      const webhook = webhooks.find(({ id }) => id === send.webhookId)
      return isDue(send, nowMs) ? sendOnce(d, event, send, webhook) : send
    }),
  )
  const next = sends.flatMap(({ nextAtMs }) => nextAtMs ?? [])
  const dueAtMs = next.length === 0 ? undefined : Math.min(...next)
  await d.outbox.tryKeep(stored, sends, dueAtMs)
}

/** A first message to an endpoint. */
export const newSend = (webhookId: string, nowMs: number): WebhookSend => ({
  ...{ webhookId, state: 'pending', attempts: 0, nextAtMs: nowMs },
  ...{ lastAtMs: undefined, lastStatus: undefined },
})

/** A time further away than any pause was written by a clock that had jumped ahead. */
function isDue({ state, nextAtMs = 0 }: WebhookSend, nowMs: number): boolean {
  return state === 'pending' && (nextAtMs <= nowMs || nextAtMs > nowMs + PAUSE_MAX_MS)
}
