import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const listWebhooksEndpoint = endpoint({
  operation: OPERATIONS.listWebhooks,
  handle: ({ caller }, { listWebhooks }) => listWebhooks(caller.account.id),
})
