import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const refreshTransactionEndpoint = endpoint({
  operation: OPERATIONS.refreshTransaction,
  handle: ({ caller, params }, { refreshTransaction }) =>
    refreshTransaction(caller.account, params['trackingId'] ?? ''),
})
