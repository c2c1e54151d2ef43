import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const enableWebhookEndpoint = endpoint({
  operation: OPERATIONS.enableWebhook,
  handle: ({ caller, params }, { enableWebhook }) =>
    enableWebhook(caller.account.id, params['webhookId'] ?? ''),
})
