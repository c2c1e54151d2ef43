import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const createWebhookEndpoint = endpoint({
  operation: OPERATIONS.createWebhook,
  handle: ({ caller, body }, { addWebhook }) => addWebhook(caller.account.id, body.url),
})
