import { OPERATIONS } from '@sotto/contract'
import { invalid } from '../../usecases/service-error.ts'
import { endpoint } from '../endpoint.ts'

const HEADER = 'x-idempotency-key'
const KEY = /^[\x20-\x7e]{1,255}$/

function assertKey(key: string | undefined): string | undefined {
  if (key === undefined || KEY.test(key)) return key
  throw invalid('X-Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
}

export const createOrderEndpoint = endpoint({
  operation: OPERATIONS.createOrder,
  handle: async (call, { createOrder }) => {
    const { body, caller, received } = call
    const answer = await createOrder({
      account: caller.account,
      body,
      received: received as Record<string, unknown>,
      idempotencyKey: assertKey(call.header(HEADER)),
    })
    const headers = { 'idempotent-replayed': answer.isReplay ? 'true' : 'false' }
    return { text: answer.body, headers }
  },
})
