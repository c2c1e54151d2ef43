import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'
import { onceRequest, onceAnswer } from '../order-once.ts'

export const createPaymentEndpoint = endpoint({
  operation: OPERATIONS.createPayment,
  handle: async (call, { createPayment }) => onceAnswer(await createPayment(onceRequest(call))),
})
