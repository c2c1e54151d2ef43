import { eventBody, eventIdOf, type OrderEvent, type WebhookSend } from '../domain/order-event.ts'
import type { SendResult } from '../ports/webhook-sender.ts'
import type { Webhook } from '../ports/webhook-store.ts'
import { hasArrived, sendSigned } from '../usecases/webhook/send-signed.ts'
import type { NotifyDependencies } from './notify-dependencies.ts'

const GONE = 410

/** The conditions under which a message may be sent. */
interface Turn {
  readonly isLastPoll: boolean
  /** Returns true while the message may wait for its turn. Later, a response might arrive too late for this poll. */
  readonly mayWait: () => boolean
}

/**
 * Sends an order's event to one endpoint if the endpoint may be called now, and returns the result. A failure at the
 * receiver is part of the result and is never thrown.
 */
export async function sendOnce(
  d: NotifyDependencies,
  event: OrderEvent,
  send: WebhookSend,
  webhook: Webhook | undefined,
  { isLastPoll, mayWait }: Turn,
): Promise<WebhookSend> {
  if (webhook === undefined || webhook.disabledAtMs !== undefined) {
    return { ...send, state: 'failed' }
  }
  // The partner may still enable an endpoint that answered 410, so the message waits until the endpoint is disabled.
  const isLet =
    !d.hourly.isGone(webhook) && (await d.circuits.enter(webhook.id, d.clock.nowMs, mayWait))
  if (!isLet) return isLastPoll ? giveUp(d, send) : send
  let result: SendResult = { kind: 'unreachable' }
  try {
    const id = eventIdOf(event)
    result = await sendSigned(d, webhook, { id, body: eventBody(event) }, d.clock.nowMs())
  } finally {
    d.circuits.leave(webhook.id, hasArrived(result), d.clock.nowMs())
  }
  return record(d, { send, webhook, result, isLastPoll })
}

function giveUp(d: NotifyDependencies, send: WebhookSend): WebhookSend {
  d.hourly.count('webhook_given_up')
  return { ...send, state: 'failed' }
}

interface Sent {
  readonly send: WebhookSend
  readonly webhook: Webhook
  readonly result: SendResult
  readonly isLastPoll: boolean
}

function record(d: NotifyDependencies, { send, webhook, result, isLastPoll }: Sent): WebhookSend {
  const lastStatus = result.kind === 'answered' ? result.status : undefined
  const lastAtMs = d.clock.nowMs()
  const tried = { ...send, attempts: send.attempts + 1, lastAtMs, lastStatus }
  if (hasArrived(result)) {
    d.hourly.count('webhook_delivered')
    return { ...tried, state: 'delivered' }
  }
  if (lastStatus === GONE) {
    d.hourly.gone(webhook)
    return { ...tried, state: 'failed' }
  }
  if (isLastPoll) return giveUp(d, tried)
  d.hourly.count('webhook_attempt_failed')
  return tried
}
