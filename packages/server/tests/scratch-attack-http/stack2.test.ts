import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { codeOf, order, orderBody, quoteOf, send, solSend } from '../http/partner-client.ts'
import { createOrderEndpoint } from '../../src/http/endpoints/create-order.ts'
import { quoteTransferEndpoint } from '../../src/http/endpoints/quote-transfer.ts'
import { callAsPage } from '../../src/http/send-page/page-calls.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

it('a visitor gets no quote that the visitor’s network can no longer order', async () => {
  const swap = (amount: string) => solSend(stack, { destinationAssetId: stack.usdc, amount })
  const call = async (endpoint: unknown, body: unknown) =>
    JSON.parse(
      await callAsPage(stack.useCases, stack.apiKey, endpoint as never, { body }, '192.0.2.1'),
    )
  const refused = await call(quoteTransferEndpoint, swap('90000000000')).catch(
    (error: unknown) => error,
  )
  const request = swap((refused as { context: { max: string } }).context.max)
  await call(
    createOrderEndpoint,
    orderBody((await call(quoteTransferEndpoint, request)).quote, request),
  )
  await stack.market.refresh()
  const small = swap('3000000000')
  const { quote } = await call(quoteTransferEndpoint, small)
  console.log('MAX', quote.max)
  const code = await call(createOrderEndpoint, orderBody(quote, small)).then(
    () => 'ordered',
    (error: { code: string }) => error.code,
  )
  expect(code).toBe('ordered')
})

it('a retry of an order that is being created is ORDER_IN_PROGRESS, also after the quote’s expiry', async () => {
  const request = solSend(stack)
  const { quote } = await quoteOf(stack, request)
  const body = orderBody(quote, request)
  const real = stack.secrets.forNewOrder.bind(stack.secrets)
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  let begun = () => {}
  const started = new Promise<void>((resolve) => (begun = resolve))
  vi.spyOn(stack.secrets, 'forNewOrder').mockImplementationOnce(async (epoch) => {
    begun()
    await gate
    return real(epoch)
  })
  const first = order(stack, body, 'key-1')
  await started
  stack.advanceMs(61_000)
  const second = await order(stack, body, 'key-1')
  release()
  const made = await first
  const third = await order(stack, body, 'key-1')
  console.log('EXPIRY', made.status, codeOf(second), third.status)
  expect(codeOf(second)).toBe('ORDER_IN_PROGRESS')
})

it('the order of a crowd states the longest wait', async () => {
  const gridMs = 600_000
  const left = gridMs - (Date.now() % gridMs)
  console.log('wait s', left / 1000)
  if (left > 330_000) return
  await new Promise((r) => setTimeout(r, left - 8_000))
  const request = { ...solSend(stack), minCrowd: 2 }
  const { quote } = await quoteOf(stack, request)
  await new Promise((r) => setTimeout(r, 12_000))
  const answer = await order(stack, orderBody(quote, request))
  console.log(answer.text.slice(0, 300))
  const made = answer.body['order'] as { trackingId: string; eta: number; deliverBy: string }
  const status = await send(stack, 'GET', `/transfer/v1/status/${made.trackingId}`)
  const eta = (status.body['order'] as { eta: number }).eta
  console.log(
    'ETA quote',
    quote.duration,
    'order',
    made.eta,
    'status',
    eta,
    made.deliverBy,
    quote.issuedAt,
  )
  expect(Math.abs(eta - made.eta)).toBeLessThan(60)
})
