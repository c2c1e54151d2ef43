import type { Operation } from '@sotto/contract'
import type { OrderAnswer, OrderRequest } from '../usecases/order/order-once.ts'
import { invalid } from '../usecases/service-error.ts'
import type { Call, ExactAnswer } from './endpoint.ts'

const HEADER = 'X-Idempotency-Key'
const KEY = /^[\x20-\x7e]{1,255}$/

function assertKey(key: string | undefined): string | undefined {
  if (key === undefined || KEY.test(key)) return key
  throw invalid(HEADER, 'must be 1 to 255 printable ASCII characters')
}

/**
 * Converts a call to the request of an operation that makes one order for each idempotency key.
 * @throws ServiceError INVALID_REQUEST.
 */
export function onceRequest<O extends Operation>(call: Call<O>): OrderRequest<Call<O>['body']> {
  const { caller, body, received } = call
  return {
    account: caller.account,
    body,
    received: received as Record<string, unknown>,
    idempotencyKey: assertKey(call.header(HEADER)),
  }
}

/** The response with the stored bytes of an order. A header marks a repeated response. */
export const onceAnswer = ({ body, isReplay }: OrderAnswer): ExactAnswer => ({
  text: body,
  headers: { 'idempotent-replayed': isReplay ? 'true' : 'false' },
})
