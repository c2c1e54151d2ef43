import { createHmac } from 'node:crypto'
import { amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { quoteText } from '../../adapters/fast/quote-text.ts'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { epochAt } from '../../domain/epoch.ts'
import { decodeQuoteId } from '../../domain/quote-id.ts'
import type { Account } from '../../ports/account-store.ts'
import type { ReplayRecord } from '../../ports/order-store.ts'
import { signQuote } from '../quote/sign-quote.ts'
import { ServiceError } from '../service-error.ts'
import { orderOnce, type OnceDependencies } from './order-once.ts'

const NOW_MS = 1_800_000_000_000
const QUOTE_MS = 60_000
const account = { id: 'acme' } as Account
const binding = {
  ...{ accountId: 'acme', senderAddress: 'a', recipientAddress: 'b' },
  ...{ feeBps: 0, feeRecipientAddress: undefined },
}
const secrets = {
  epoch: epochAt(NOW_MS),
  quoteMac: (text: string | Uint8Array) =>
    createHmac('sha256', 'key').update(text).digest().subarray(0, 16),
}

/** A service with one quote, and a clock that the test moves. */
function service() {
  let nowMs = NOW_MS
  const made: ReplayRecord[] = []
  const quoted = {
    ...{ sourceAssetId: 'x', destinationAssetId: 'x', amountIn: '3' },
    mode: 'exact_in' as const,
    ...{ amountOut: '3', fee: '0', protocolFee: '0', networkFee: '0', min: '1', max: '9' },
    feeBreakdown: { serviceFee: '0', partnerFee: '0', networkFee: '0' },
    ...{ duration: 1, issuedAt: new Date(NOW_MS).toISOString() },
    expiresAt: new Date(NOW_MS + QUOTE_MS).toISOString(),
  }
  const delays = { minDelaySeconds: 0, maxDelaySeconds: 0 }
  const carried = { ...delays, accountExisted: true, isPayment: false, value: amount(3n) }
  const parts = { random: systemRandom, quoteText }
  const quote = JSON.parse(signQuote(parts, secrets, quoted, carried, binding)) as {
    quoteId: string
  }
  const d = {
    clock: { nowMs: () => nowMs },
    orders: { findReplays: async () => [...made] },
    secrets: { read: async () => secrets },
    ordering: new Set<string>(),
  } as unknown as OnceDependencies
  return {
    quoteNonce: decodeQuoteId(quote.quoteId)!.nonce,
    made,
    advanceMs: (ms: number) => void (nowMs += ms),
    order: (create: () => Promise<Uint8Array>) =>
      orderOnce(
        d,
        { account, body: {}, received: { quote }, idempotencyKey: 'key' },
        { isPayment: false, binding, bindingElsewhere: undefined, create },
      ).catch((error: ServiceError) => error.code),
  }
}

const answer = new Uint8Array([1])

it('a retry of an order that is being created is in progress, also after the quote’s expiry', async () => {
  const { order, advanceMs } = service()
  let finish = () => {}
  const slow = new Promise<Uint8Array>((resolve) => (finish = () => resolve(answer)))
  const first = order(() => slow)
  // The first request has begun to create its order.
  await new Promise(setImmediate)
  advanceMs(QUOTE_MS + 1)
  expect(await order(async () => answer)).toBe('ORDER_IN_PROGRESS')
  finish()
  expect(await first).toEqual({ body: answer, isReplay: false })
  expect(await order(async () => answer)).toBe('QUOTE_EXPIRED')
})

it('a quote can be ordered again after its order was refused', async () => {
  const { order } = service()
  const refuse = async () => {
    throw new ServiceError('SERVICE_PAUSED')
  }
  expect(await order(refuse)).toBe('SERVICE_PAUSED')
  expect(await order(async () => answer)).toEqual({ body: answer, isReplay: false })
})

it('a refused order is in progress if another request has made it meanwhile', async () => {
  const { order, made, quoteNonce } = service()
  const refused = await order(async () => {
    made.push({ quoteNonce } as ReplayRecord)
    throw new ServiceError('RATE_LIMITED')
  })
  expect(refused).toBe('ORDER_IN_PROGRESS')
})
