import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const listDeliveriesEndpoint = endpoint({
  operation: OPERATIONS.listDeliveries,
  handle: ({ caller, params, query }, { listDeliveries }) =>
    listDeliveries(caller.account.id, params['webhookId'] ?? '', query),
})
