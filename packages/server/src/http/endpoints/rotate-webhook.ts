import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const rotateWebhookEndpoint = endpoint({
  operation: OPERATIONS.rotateWebhook,
  handle: ({ caller, params }, { rotateWebhook }) =>
    rotateWebhook(caller.account.id, params['webhookId'] ?? ''),
})
