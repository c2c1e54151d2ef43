import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const listTokensEndpoint = endpoint({
  operation: OPERATIONS.listTokens,
  handle: async (_call, { listTokens }) => listTokens(),
})
