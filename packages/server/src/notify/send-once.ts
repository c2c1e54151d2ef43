import {
  encodeEventId,
  eventBody,
  sequenceOf,
  type OrderEvent,
  type WebhookSend,
} from '../domain/order-event.ts'
import { pauseAfter } from '../domain/webhook-retries.ts'
import { secretName, signingVersions } from '../domain/webhook-secret.ts'
import type { SendResult } from '../ports/webhook-sender.ts'
import type { Webhook } from '../ports/webhook-store.ts'
import type { NotifyDependencies } from './notify-dependencies.ts'

const GONE = 410
const CHANCES = 1_000

/** Sends a change to one endpoint if that may be tried now, and says what came of it. Never throws for the other side. */
export async function sendOnce(
  d: NotifyDependencies,
  event: OrderEvent,
  send: WebhookSend,
  webhook: Webhook | undefined,
): Promise<WebhookSend> {
  if (webhook === undefined || webhook.disabledAtMs !== undefined) return failed(send)
  const nowMs = d.clock.nowMs()
  const entry = d.circuits.tryEnter(webhook.id, nowMs)
  if (entry !== 'entered') return { ...send, nextAtMs: nowMs + entry }
  let result: SendResult = { kind: 'unreachable' }
  try {
    result = await d.sender.send({
      url: webhook.url,
      id: encodeEventId(event.orderId, sequenceOf(event.status)),
      timestampSeconds: Math.floor(nowMs / 1_000),
      body: eventBody(event),
      secrets: await Promise.all(
        signingVersions(webhook, nowMs).map((version) =>
          d.secrets.apiKeyHmac(secretName(webhook.id, version)),
        ),
      ),
    })
  } finally {
    d.circuits.leave(webhook.id, hasArrived(result), d.clock.nowMs())
  }
  return record(d, send, result)
}

const failed = (send: WebhookSend): WebhookSend => ({
  ...send,
  state: 'failed',
  nextAtMs: undefined,
})

const hasArrived = (result: SendResult): boolean =>
  result.kind === 'answered' && result.status >= 200 && result.status < 300

async function record(
  d: NotifyDependencies,
  send: WebhookSend,
  result: SendResult,
): Promise<WebhookSend> {
  const nowMs = d.clock.nowMs()
  const lastStatus = result.kind === 'answered' ? result.status : undefined
  const tried = { ...send, attempts: send.attempts + 1, lastAtMs: nowMs, lastStatus }
  if (hasArrived(result)) {
    d.log.event('webhook_delivered')
    return { ...tried, state: 'delivered', nextAtMs: undefined }
  }
  if (lastStatus === GONE) {
    await d.webhooks.disable(send.webhookId, nowMs)
    d.log.event('webhook_disabled')
    return failed(tried)
  }
  const pauseMs = pauseAfter(tried.attempts, d.random.below(CHANCES) / CHANCES)
  d.log.event(pauseMs === undefined ? 'webhook_given_up' : 'webhook_attempt_failed')
  return pauseMs === undefined ? failed(tried) : { ...tried, nextAtMs: nowMs + pauseMs }
}
