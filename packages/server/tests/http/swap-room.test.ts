import type { Quote } from '@sotto/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrderEndpoint } from '../../src/http/endpoints/create-order.ts'
import { quoteTransferEndpoint } from '../../src/http/endpoints/quote-transfer.ts'
import { callAsPage } from '../../src/http/send-page/page-calls.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, orderBody, quoteOf, send, solSend } from './partner-client.ts'

/** Base units of USDC in the pool's inventory. */
const INVENTORY = 2_000_000_000n

let stack: HttpStack
let other: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
  await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const made = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
  other = { ...stack, apiKey: made.apiKey }
})
afterAll(() => stack.close())

const endOrders = async () => {
  await stack.database.query("UPDATE orders SET status = 'expired'", [])
  await stack.market.refresh()
}
beforeEach(endOrders)

const swap = (amount: string) => solSend(stack, { destinationAssetId: stack.usdc, amount })

/** The greatest amount that a swap may have now, according to a quote for too much. */
async function maxOf(by: HttpStack): Promise<bigint> {
  const refused = await send(by, 'POST', '/transfer/v1/quote', { body: swap('90000000000') })
  expect(codeOf(refused)).toBe('AMOUNT_OUT_OF_RANGE')
  return BigInt(refused.body['max'] as string)
}

async function ordered(by: HttpStack, amount: bigint): Promise<Quote> {
  const request = swap(`${amount}`)
  const { quote } = await quoteOf(by, request)
  expect((await order(by, orderBody(quote, request))).status).toBe(200)
  return quote
}

describe('the max of a swap', () => {
  it('shows the unpaid swaps of other accounts only in steps of an eighth of the inventory', async () => {
    await stack.operate('account', 'add', '--id', 'third', '--name', 'Third')
    const { apiKey } = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'third')
    const third = { ...stack, apiKey }
    const shown: bigint[] = []
    // The other account reserves half of the inventory, so the third account's swap reduces the rest below the share.
    for (const amount of [1_000_000_000n, 1_234_567_891n, 1_500_000_000n]) {
      await endOrders()
      await ordered(other, await maxOf(other))
      await ordered(third, amount)
      await stack.market.refresh()
      shown.push(await maxOf(stack))
    }
    expect(new Set(shown).size).toBe(1)
    // The account's own swaps are counted exactly.
    const { amountIn } = await ordered(stack, 500_000_000n)
    const rest = shown[0]! - BigInt(amountIn)
    const difference = (await maxOf(stack)) - rest
    expect(difference < 10_000_000n && difference > -10_000_000n).toBe(true)
  })

  it('leaves room for small swaps if others have reserved more than seven eighths', async () => {
    await ordered(other, await maxOf(other))
    await stack.database.query('UPDATE orders SET value = $1 WHERE status = $2', [
      `${(INVENTORY * 31n) / 32n}`,
      'awaiting_deposit',
    ])
    await stack.market.refresh()
    await ordered(stack, await maxOf(stack))
  })

  it('is never more than a visitor’s network can order', async () => {
    const call = async (endpoint: unknown, body: unknown, visitor = '192.0.2.1') =>
      callAsPage(stack.useCases, stack.apiKey, endpoint as never, { body }, visitor).then(
        (text) => JSON.parse(text) as { readonly quote: Quote },
        (error: { code: string; context: { max: string } }) => error,
      )
    const refused = await call(quoteTransferEndpoint, swap('90000000000'))
    const request = swap('context' in refused ? refused.context.max : '')
    const answer = await call(quoteTransferEndpoint, request)
    const { quote } = answer as { readonly quote: Quote }
    expect(await call(createOrderEndpoint, orderBody(quote, request))).toHaveProperty('order')
    // The network has reserved its part, so it gets no further quote. Another network of the same account gets one.
    for (const read of [async () => undefined, () => stack.market.refresh()]) {
      await read()
      const more = await call(quoteTransferEndpoint, swap('1000000000'))
      expect(more).toHaveProperty('code', 'LIQUIDITY_UNAVAILABLE')
      const others = await call(quoteTransferEndpoint, swap('1000000000'), '192.0.2.2')
      expect(others).toHaveProperty('quote')
    }
  })
})
