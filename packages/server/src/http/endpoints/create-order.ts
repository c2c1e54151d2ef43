import { OPERATIONS } from '@sotto/contract'
import { endpoint } from '../endpoint.ts'
import { onceRequest, onceAnswer } from '../order-once.ts'

export const createOrderEndpoint = endpoint({
  operation: OPERATIONS.createOrder,
  handle: async (call, { createOrder }) => onceAnswer(await createOrder(onceRequest(call))),
})
