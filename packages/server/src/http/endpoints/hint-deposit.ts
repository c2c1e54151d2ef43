import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const hintDepositEndpoint = endpoint({
  operation: OPERATIONS.hintDeposit,
  handle: ({ caller, body }, { hintDeposit }) => hintDeposit(caller.account.id, body.trackingId),
})
