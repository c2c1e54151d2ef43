import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const quoteTransferEndpoint = endpoint({
  operation: OPERATIONS.quoteTransfer,
  handle: ({ body, caller }, { quoteTransfer }) => quoteTransfer(caller.account, body),
})
