import { ListOrdersQuery } from './schemas/status.ts'
import {
  CreateWebhookRequest,
  ListDeliveriesResponse,
  ListWebhooksResponse,
  NoMembers,
  ReplayDeliveryResponse,
  TestWebhookResponse,
  WebhookResponse,
  WebhookWithSecretResponse,
} from './schemas/webhooks.ts'
import { operation } from './operation.ts'

const ROOT = '/transfer/v1/webhooks'

/** Operations on the endpoints that an account wants to be told at. */
export const WEBHOOK_OPERATIONS = {
  createWebhook: operation({
    id: 'createWebhook',
    method: 'POST',
    path: ROOT,
    summary: 'Registers an endpoint and returns its signing secret.',
    scope: 'write',
    body: CreateWebhookRequest,
    response: WebhookWithSecretResponse,
    errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_LIMIT_REACHED'],
  }),
  listWebhooks: operation({
    id: 'listWebhooks',
    method: 'GET',
    path: ROOT,
    summary: "Lists the account's endpoints, oldest first.",
    scope: 'read',
    response: ListWebhooksResponse,
    errors: [],
  }),
  deleteWebhook: operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: `${ROOT}/:webhookId`,
    summary: 'Removes an endpoint; nothing is sent there any more.',
    scope: 'write',
    response: WebhookResponse,
    // It needs no body, and says so of one that it can't read.
    errors: ['NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'],
  }),
  rotateWebhook: operation({
    id: 'rotateWebhook',
    method: 'POST',
    path: `${ROOT}/:webhookId/rotate`,
    summary: 'Returns a new signing secret; the one before signs beside it for a day.',
    scope: 'write',
    body: NoMembers,
    response: WebhookWithSecretResponse,
    errors: ['NOT_FOUND'],
  }),
  enableWebhook: operation({
    id: 'enableWebhook',
    method: 'POST',
    path: `${ROOT}/:webhookId/enable`,
    summary: 'Sends to an endpoint again that answered 410.',
    scope: 'write',
    body: NoMembers,
    response: WebhookResponse,
    errors: ['NOT_FOUND'],
  }),
  testWebhook: operation({
    id: 'testWebhook',
    method: 'POST',
    path: `${ROOT}/:webhookId/test`,
    summary: 'Sends a `webhook.test` message now, once, and tells what came of it.',
    scope: 'write',
    body: NoMembers,
    response: TestWebhookResponse,
    errors: ['NOT_FOUND'],
  }),
  listDeliveries: operation({
    id: 'listDeliveries',
    method: 'GET',
    path: `${ROOT}/:webhookId/deliveries`,
    summary: 'Lists what was sent to an endpoint, until the keys of its orders die.',
    scope: 'read',
    query: ListOrdersQuery,
    response: ListDeliveriesResponse,
    errors: ['NOT_FOUND'],
  }),
  replayDelivery: operation({
    id: 'replayDelivery',
    method: 'POST',
    path: `${ROOT}/:webhookId/deliveries/:deliveryId/replay`,
    summary:
      'Sends a message again, once and now, whatever became of it, and answers what came of that.',
    scope: 'write',
    body: NoMembers,
    response: ReplayDeliveryResponse,
    errors: ['NOT_FOUND'],
  }),
} as const
