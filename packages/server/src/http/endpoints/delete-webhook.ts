import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const deleteWebhookEndpoint = endpoint({
  operation: OPERATIONS.deleteWebhook,
  handle: ({ caller, params }, { removeWebhook }) =>
    removeWebhook(caller.account.id, params['webhookId'] ?? ''),
})
