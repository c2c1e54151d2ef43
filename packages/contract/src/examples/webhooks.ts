import type { WebhookEvent } from '../schemas/webhook-event.ts'
import type { WebhookDelivery, WebhookRecord } from '../schemas/webhooks.ts'

const webhookId = 'wh_0oQNhTtYkhHSGfbZw17yyQ'
const deliveryId = 'evt_0oQNhTtYkhHSGfbZw17yyQ_2'

const WEBHOOK: WebhookRecord = {
  webhookId,
  url: 'http://127.0.0.1:3000/webhooks',
  createdAt: '2026-11-21T13:20:00.000Z',
  disabledAt: null,
  overlapUntil: null,
}

const ROTATED: WebhookRecord = { ...WEBHOOK, overlapUntil: '2026-11-22T14:00:00.000Z' }

const DELIVERY: WebhookDelivery = {
  deliveryId,
  trackingId: 'tr_0oQNhTtYkhHSGfbZw17yyQ',
  status: 'deposited',
  sequence: 2,
  state: 'delivered',
  attempts: 1,
  createdAt: '2026-11-21T13:23:41.000Z',
  lastAttemptAt: '2026-11-21T13:23:41.200Z',
  nextAttemptAt: null,
  responseStatus: 204,
}

const REPLAYED: WebhookDelivery = {
  ...DELIVERY,
  attempts: 2,
  lastAttemptAt: '2026-11-21T14:00:00.000Z',
}

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const parameters = { webhookId }
const success = { success: true } as const
const nothing = { send: { summary: 'No body', value: {} } }

/** A message that an endpoint receives. */
export const MESSAGE: WebhookEvent = {
  type: 'order.delivered',
  timestamp: '2026-11-21T13:24:50.000Z',
  data: {
    trackingId: 'tr_0oQNhTtYkhHSGfbZw17yyQ',
    status: 'delivered',
    final: true,
    sequence: 5,
    reference: 'invoice 7',
  },
}

/** Examples of the operations on endpoints. */
export const WEBHOOK_EXAMPLES = {
  createWebhook: {
    requests: {
      send: {
        summary: 'An http address, as the local chain allows; other clusters require https',
        value: { url: WEBHOOK.url },
      },
    },
    responses: {
      send: {
        summary: 'Keep the secret, because it is shown only once',
        value: { ...success, webhook: WEBHOOK, secret: SECRET },
      },
    },
  },
  listWebhooks: {
    responses: {
      default: { summary: 'One endpoint', value: { ...success, webhooks: [WEBHOOK] } },
    },
  },
  deleteWebhook: {
    parameters,
    requests: nothing,
    responses: {
      send: {
        summary: 'The endpoint that was removed',
        value: { ...success, webhook: ROTATED },
      },
    },
  },
  rotateWebhook: {
    parameters,
    requests: nothing,
    responses: {
      send: {
        summary: 'Both secrets sign for a day',
        value: {
          ...success,
          webhook: ROTATED,
          secret: SECRET,
        },
      },
    },
  },
  enableWebhook: {
    parameters,
    requests: nothing,
    responses: { send: { summary: 'Enabled', value: { ...success, webhook: WEBHOOK } } },
  },
  testWebhook: {
    parameters,
    requests: nothing,
    responses: {
      send: {
        summary: 'The endpoint answered 204',
        value: { ...success, arrived: true, responseStatus: 204, problem: null },
      },
    },
  },
  listDeliveries: {
    parameters: { ...parameters, limit: '1' },
    responses: {
      default: {
        summary: 'A message that arrived; more pages follow',
        value: {
          ...success,
          deliveries: [DELIVERY],
          nextCursor: 'AAABof5GcZbp1-e7RCZEgJGR2Nsk23pK',
        },
      },
    },
  },
  replayDelivery: {
    parameters: { ...parameters, deliveryId },
    requests: nothing,
    responses: {
      send: { summary: 'The message arrived', value: { ...success, delivery: REPLAYED } },
    },
  },
} as const
