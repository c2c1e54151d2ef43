import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const listOrdersEndpoint = endpoint({
  operation: OPERATIONS.listOrders,
  handle: ({ caller, query }, { listOrders }) => listOrders(caller.account.id, query),
})
