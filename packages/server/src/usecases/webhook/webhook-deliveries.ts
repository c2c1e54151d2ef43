import type {
  ListDeliveriesResponse,
  ReplayDeliveryResponse,
  WebhookDelivery,
} from '@sotto/contract'
import {
  eventBody,
  eventIdOf,
  MESSAGE_NUMBERS,
  parseEventId,
  SENT_SEQUENCES,
  sequenceOfEvent,
  type WebhookSend,
} from '../../domain/order-event.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OrderStore, StoredOrder, StoredPayment } from '../../ports/order-store.ts'
import type { OutboxStore, StoredEvent } from '../../ports/outbox-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import type { WebhookStore } from '../../ports/webhook-store.ts'
import { isoOfMs } from '../iso-time.ts'
import { pageOfOrders } from '../order/list-orders.ts'
import { livesLikeBalance } from '../../domain/balance.ts'
import type { DirectSends } from './direct-sends.ts'
import { findWebhook } from './manage-webhooks.ts'
import { hasArrived, sendSigned } from './send-signed.ts'
import { ServiceError } from '../service-error.ts'

export interface DeliveryDependencies {
  readonly orders: OrderStore
  readonly outbox: OutboxStore
  readonly webhooks: WebhookStore
  readonly sender: WebhookSender
  readonly secrets: Pick<Secrets, 'apiKeyHmac'>
  readonly clock: Clock
  readonly directSends: DirectSends
}

/**
 * Maximum number of messages that one page looks for. Each message requires an HMAC, and the server answers no other
 * request while it computes the HMACs. The number is enough for a hundred transfers, or for ten balances.
 */
const NUMBERS_MAX = 1_000

/**
 * Lists the messages to an account's endpoint. The account's orders are listed first, because a message can only be
 * found through its order and that order's key. The limit of a page counts orders, not messages. The page ends early
 * if its orders may have too many messages.
 *
 * @throws ServiceError NOT_FOUND.
 */
export async function listDeliveries(
  { orders, outbox, webhooks }: Pick<DeliveryDependencies, 'orders' | 'outbox' | 'webhooks'>,
  accountId: string,
  webhookId: string,
  query: { readonly cursor?: string | undefined; readonly limit?: string | undefined },
): Promise<ListDeliveriesResponse> {
  await findWebhook(webhooks, accountId, webhookId)
  const { page, nextCursor } = await pageOfOrders(orders, accountId, query, firstOf)
  const stored = await outbox.read(
    page.map((order) => ({ id: order.id, epoch: order.epoch, numbers: numbersOf(order) })),
  )
  const deliveries = stored.flatMap((one) => {
    const send = sendTo(one, webhookId)
    return send === undefined ? [] : [render(one, send)]
  })
  return { success: true, deliveries, nextCursor }
}

type Listed = StoredOrder | StoredPayment

/**
 * The numbers of all messages that an order may have. Only balances have notices. The notices have many numbers, so
 * they are looked for only if the order may be a balance.
 */
const numbersOf = (order: Listed): readonly number[] =>
  'leaf' in order && livesLikeBalance(order) ? MESSAGE_NUMBERS : SENT_SEQUENCES

/** Returns the first orders of a list. Together they have at most `NUMBERS_MAX` possible messages. */
function firstOf(orders: Listed[]): Listed[] {
  let left = NUMBERS_MAX
  const tooMany = orders.findIndex((order) => (left -= numbersOf(order).length) < 0)
  return tooMany === -1 ? orders : orders.slice(0, tooMany)
}

/**
 * Sends a message to an endpoint again, once and immediately, and returns the result. Nothing is stored: a write to the
 * message's row between two polls would reveal that its account has an endpoint.
 *
 * @throws ServiceError NOT_FOUND, also for a message of another account; RATE_LIMITED.
 */
export async function replayDelivery(
  d: DeliveryDependencies,
  accountId: string,
  webhookId: string,
  deliveryId: string,
): Promise<ReplayDeliveryResponse> {
  const webhook = await findWebhook(d.webhooks, accountId, webhookId)
  const asked = parseEventId(deliveryId)
  if (asked === undefined) throw new ServiceError('NOT_FOUND')
  const found =
    (await d.orders.readOrder(accountId, asked.orderId))?.order ??
    (await d.orders.readPayment(accountId, asked.orderId))
  if (found === undefined) throw new ServiceError('NOT_FOUND')
  const { id, epoch } = found
  const events = await d.outbox.read([{ id, epoch, numbers: [asked.number] }])
  const stored = events.find(({ event }) => eventIdOf(event) === deliveryId)
  const send = stored && sendTo(stored, webhookId)
  if (stored === undefined || send === undefined) throw new ServiceError('NOT_FOUND')
  const nowMs = d.clock.nowMs()
  const message = { id: deliveryId, body: eventBody(stored.event) }
  const result = await d.directSends.send(accountId, () => sendSigned(d, webhook, message, nowMs))
  const again: WebhookSend = {
    ...{ webhookId, attempts: send.attempts + 1, lastAtMs: nowMs },
    lastStatus: result.kind === 'answered' ? result.status : undefined,
    state: hasArrived(result) ? 'delivered' : send.state === 'pending' ? 'pending' : 'failed',
  }
  return { success: true, delivery: render(stored, again) }
}

const sendTo = ({ event }: StoredEvent, webhookId: string): WebhookSend | undefined =>
  event.sends?.find((send) => send.webhookId === webhookId)

const isoOrNull = (ms: number | undefined) => (ms === undefined ? null : isoOfMs(ms))

function render({ event, dueAtMs }: StoredEvent, send: WebhookSend): WebhookDelivery {
  return {
    deliveryId: eventIdOf(event),
    trackingId: encodeTrackingId(event.orderId),
    status: event.status,
    sequence: sequenceOfEvent(event),
    state: send.state,
    attempts: send.attempts,
    createdAt: isoOfMs(event.atMs),
    lastAttemptAt: isoOrNull(send.lastAtMs),
    nextAttemptAt: isoOrNull(send.state === 'pending' ? dueAtMs : undefined),
    responseStatus: send.lastStatus ?? null,
  }
}
