import type { Endpoint } from './endpoint.ts'
import { createOrderEndpoint } from './endpoints/create-order.ts'
import { createPaymentEndpoint } from './endpoints/create-payment.ts'
import { createWebhookEndpoint } from './endpoints/create-webhook.ts'
import { deleteWebhookEndpoint } from './endpoints/delete-webhook.ts'
import { enableWebhookEndpoint } from './endpoints/enable-webhook.ts'
import { hintDepositEndpoint } from './endpoints/hint-deposit.ts'
import { listDeliveriesEndpoint } from './endpoints/list-deliveries.ts'
import { listOrdersEndpoint } from './endpoints/list-orders.ts'
import { listTokensEndpoint } from './endpoints/list-tokens.ts'
import { listWebhooksEndpoint } from './endpoints/list-webhooks.ts'
import { quoteTransferEndpoint } from './endpoints/quote-transfer.ts'
import { readStatusEndpoint } from './endpoints/read-status.ts'
import { refreshTransactionEndpoint } from './endpoints/refresh-transaction.ts'
import { replayDeliveryEndpoint } from './endpoints/replay-delivery.ts'
import { rotateWebhookEndpoint } from './endpoints/rotate-webhook.ts'
import { signPaymentEndpoint } from './endpoints/sign-payment.ts'
import { testWebhookEndpoint } from './endpoints/test-webhook.ts'

/** Every operation of the contract except the event stream and the public leaves. */
export const ENDPOINTS = [
  quoteTransferEndpoint,
  createOrderEndpoint,
  refreshTransactionEndpoint,
  createPaymentEndpoint,
  signPaymentEndpoint,
  readStatusEndpoint,
  hintDepositEndpoint,
  listTokensEndpoint,
  listOrdersEndpoint,
  createWebhookEndpoint,
  listWebhooksEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookEndpoint,
  enableWebhookEndpoint,
  testWebhookEndpoint,
  listDeliveriesEndpoint,
  replayDeliveryEndpoint,
] as unknown as readonly Endpoint[]
