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

/** Operations on the endpoints of an account. */
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
    summary: 'Removes an endpoint and stops its deliveries.',
    scope: 'write',
    body: NoMembers,
    response: WebhookResponse,
    errors: ['NOT_FOUND'],
  }),
  rotateWebhook: operation({
    id: 'rotateWebhook',
    method: 'POST',
    path: `${ROOT}/:webhookId/rotate`,
    summary: 'Returns a new signing secret; the earlier secrets also sign for a day.',
    scope: 'write',
    body: NoMembers,
    response: WebhookWithSecretResponse,
    errors: ['NOT_FOUND'],
  }),
  enableWebhook: operation({
    id: 'enableWebhook',
    method: 'POST',
    path: `${ROOT}/:webhookId/enable`,
    summary: 'Resumes deliveries to an endpoint that answered 410.',
    scope: 'write',
    body: NoMembers,
    response: WebhookResponse,
    errors: ['NOT_FOUND'],
  }),
  testWebhook: operation({
    id: 'testWebhook',
    method: 'POST',
    path: `${ROOT}/:webhookId/test`,
    summary: 'Sends a `webhook.test` message once, immediately, and returns the result.',
    scope: 'write',
    body: NoMembers,
    response: TestWebhookResponse,
    errors: ['NOT_FOUND'],
  }),
  listDeliveries: operation({
    id: 'listDeliveries',
    method: 'GET',
    path: `${ROOT}/:webhookId/deliveries`,
    summary:
      'Lists the deliveries to an endpoint. A delivery disappears when the keys of its order are destroyed.',
    scope: 'read',
    query: ListOrdersQuery,
    response: ListDeliveriesResponse,
    errors: ['NOT_FOUND'],
  }),
  replayDelivery: operation({
    id: 'replayDelivery',
    method: 'POST',
    path: `${ROOT}/:webhookId/deliveries/:deliveryId/replay`,
    summary: 'Sends any message again, once and immediately, and returns the result.',
    scope: 'write',
    body: NoMembers,
    response: ReplayDeliveryResponse,
    errors: ['NOT_FOUND'],
  }),
} as const
