import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const readStatusEndpoint = endpoint({
  operation: OPERATIONS.readStatus,
  handle: ({ caller, params }, { readStatus }) =>
    readStatus(caller.account.id, params['trackingId'] ?? ''),
})
