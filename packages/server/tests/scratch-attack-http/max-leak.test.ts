import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { codeOf, order, orderBody, quoteOf, send, solSend } from '../http/partner-client.ts'
import { createOrderEndpoint } from '../../src/http/endpoints/create-order.ts'
import { quoteTransferEndpoint } from '../../src/http/endpoints/quote-transfer.ts'
import { callAsPage } from '../../src/http/send-page/page-calls.ts'

let stack: HttpStack
let victim: HttpStack
let page: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
  const add = async (id: string) => {
    await stack.operate('account', 'add', '--id', id, '--name', id)
    const made = await stack.operate<{ apiKey: string }>('key', 'add', '--account', id)
    return { ...stack, apiKey: made.apiKey }
  }
  victim = await add('victim')
  page = await add('page')
})
afterAll(() => stack.close())

it('a partner does not learn the exact value of another customer’s unpaid swap', async () => {
  const swap = (amount: string) => solSend(stack, { destinationAssetId: stack.usdc, amount })
  const maxOf = async () => (await quoteOf(stack, swap('100000000'))).quote.max
  // The attacker is a partner, and also visits the send page from two networks, whose unpaid swaps reserve half.
  for (const visitor of ['192.0.2.1', '192.0.2.2']) {
    const call = (endpoint: unknown, body: unknown) =>
      callAsPage(stack.useCases, page.apiKey, endpoint as never, { body }, visitor)
    const refused = await call(quoteTransferEndpoint, swap('90000000000')).catch(
      (error: unknown) => error,
    )
    const { max } = (refused as { context: { max: string } }).context
    const request = swap(max)
    const { quote } = JSON.parse(await call(quoteTransferEndpoint, request)) as never
    await call(createOrderEndpoint, orderBody(quote, request))
  }
  await stack.market.refresh()
  const before = await maxOf()
  // Another customer orders a swap and doesn't pay it.
  const request = swap('1234567891')
  const { quote } = await quoteOf(victim, request)
  expect((await order(victim, orderBody(quote, request))).status).toBe(200)
  const after = await maxOf()
  const learned = BigInt(before) - BigInt(after)
  console.log('LEAK', before, after, learned, 'the victim’s amountIn is', quote.amountIn)
  expect(after).toBe(before)
})
