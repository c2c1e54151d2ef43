import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const testWebhookEndpoint = endpoint({
  operation: OPERATIONS.testWebhook,
  handle: ({ caller, params }, { testWebhook }) =>
    testWebhook(caller.account.id, params['webhookId'] ?? ''),
})
