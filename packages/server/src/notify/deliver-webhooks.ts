import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'
import { POLLS } from '../domain/webhook-retries.ts'
import type { EndedPoll, DeliveryPoll } from '../ports/outbox-store.ts'
import type { Webhook } from '../ports/webhook-store.ts'
import type { WorkPool } from '../running/work-pool.ts'
import type { NotifyDependencies } from './notify-dependencies.ts'
import { sendOnce } from './send-once.ts'

/**
 * Duration of every poll, in milliseconds. A poll sends some due events to their endpoints and writes the results. The
 * duration is the same for all results. If durations differed, the time at which a poll's rows are written would reveal
 * which endpoints were called or answered. The duration must be shorter than the shortest pause between two polls, and
 * longer than `BEGIN_WITHIN_MS` plus the timeout of one message.
 */
export const POLL_MS = 20_000
/**
 * Milliseconds, counted from the start of a poll, within which the poll may start to send a message. Messages that
 * haven't started by then wait for the next poll. The response to a message may take ten seconds, and still arrives
 * before the poll ends.
 */
const BEGIN_WITHIN_MS = 8_000
/** Maximum number of events in one poll. One database statement reseals all events of a poll. */
const BATCH = 200

/**
 * Starts a poll of due events, and returns the number of these events. The poll's result is written at the end of
 * `POLL_MS`. If the worker stops before that time, the next poll sends the messages again with the same ids.
 */
export async function deliverDue(
  d: NotifyDependencies,
  workPool: WorkPool,
  signal: AbortSignal,
): Promise<number> {
  await d.hourly.turn(d, d.clock.nowMs())
  await workPool.room()
  if (signal.aborted) return 0
  const polls = await d.outbox.claimDue(d.clock.nowMs(), BATCH)
  const [first] = polls
  if (first === undefined) return 0
  workPool.start(`${first.name} ${first.count}`, async () => {
    try {
      await poll(d, polls, signal)
    } catch (error) {
      d.log.failed('webhook', error)
    }
  })
  return polls.length
}

async function poll(
  d: NotifyDependencies,
  polls: readonly DeliveryPoll[],
  signal: AbortSignal,
): Promise<void> {
  const startMs = d.clock.nowMs()
  const mayWait = () => !signal.aborted && d.clock.nowMs() - startMs < BEGIN_WITHIN_MS
  const endpoints = new Map<string, Promise<Webhook[]>>()
  const endpointsOf = (accountId: string) => {
    const known = endpoints.get(accountId)
    if (known !== undefined) return known
    const asked = d.webhooks.list(accountId)
    endpoints.set(accountId, asked)
    return asked
  }
  const ended = await Promise.all(
    polls.map(async (polled): Promise<EndedPoll> => {
      try {
        return { ...polled, sends: await tell(d, polled, endpointsOf, mayWait) }
      } catch (error) {
        d.log.failed('webhook', error)
        return { ...polled, sends: undefined }
      }
    }),
  )
  const leftMs = startMs + POLL_MS - d.clock.nowMs()
  // `leftMs` exceeds a poll's duration only if the clock was set back.
  await d.clock.sleep(Math.min(Math.max(leftMs, 0), POLL_MS), signal)
  await d.outbox.keep(ended)
}

async function tell(
  d: NotifyDependencies,
  { held, count }: DeliveryPoll,
  endpointsOf: (accountId: string) => Promise<Webhook[]>,
  mayWait: () => boolean,
): Promise<WebhookSend[] | undefined> {
  if (typeof held === 'string' || isDone(held.event)) return undefined
  const { event } = held
  const webhooks = await endpointsOf(event.accountId)
  const enabled = webhooks.filter(({ disabledAtMs }) => disabledAtMs === undefined)
  const planned = event.sends ?? enabled.map(({ id }) => newSend(id))
  const turn = { isLastPoll: count >= POLLS, mayWait }
  return Promise.all(
    planned.map(async (send) => {
      if (send.state !== 'pending') return send
      const webhook = webhooks.find(({ id }) => id === send.webhookId)
      return sendOnce(d, event, send, webhook, turn)
    }),
  )
}

const isDone = ({ sends }: OrderEvent): boolean =>
  sends !== undefined && sends.every(({ state }) => state !== 'pending')

/** The state before the first message to an endpoint. */
export const newSend = (webhookId: string): WebhookSend => ({
  ...{ webhookId, state: 'pending', attempts: 0 },
  ...{ lastAtMs: undefined, lastStatus: undefined },
})
