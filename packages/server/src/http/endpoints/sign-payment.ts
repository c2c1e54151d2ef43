import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'

export const signPaymentEndpoint = endpoint({
  operation: OPERATIONS.signPayment,
  handle: ({ caller, body, params }, { signPayment }) =>
    signPayment(caller.account.id, params['trackingId'] ?? '', body),
})
