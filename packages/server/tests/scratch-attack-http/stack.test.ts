import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ChangeHub } from '../../src/adapters/changes/change-hub.ts'
import { createSottoClient } from '../../../sdk/server.ts'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { codeOf, order, orderBody, placed, quoteOf, send, solSend } from '../http/partner-client.ts'
import { orderPayment, ownBalance } from '../http/balance-client.ts'
import { startApi, type StartedApi } from '../http/start-api.ts'
import { decodeQuoteId } from '../../src/domain/quote-id.ts'

let stack: HttpStack
let api: StartedApi
beforeAll(async () => {
  stack = await startHttpStack()
  api = await startApi({ ...stack, changes: new ChangeHub() }, stack.settings)
})
afterAll(async () => {
  await api.stop()
  await stack.close()
})

it('a quote whose quoteId is changed is always QUOTE_MISMATCH', async () => {
  const request = solSend(stack)
  const { quote } = await quoteOf(stack, request)
  const bytes = Buffer.from(quote.quoteId.slice(2), 'base64url')
  bytes[20]! ^= 2
  const quoteId = `q_${bytes.toString('base64url')}`
  expect(decodeQuoteId(quoteId)).toBeDefined()
  const answer = await order(stack, orderBody({ ...quote, quoteId }, request))
  expect([answer.status, codeOf(answer)]).toEqual([409, 'QUOTE_MISMATCH'])
})

it('a stream of a payment whose key is destroyed is refused as GET status is', async () => {
  const { order: made } = await orderPayment(stack, await ownBalance(stack))
  const path = `/transfer/v1/status/${made.trackingId}`
  for (const epoch of await stack.secrets.list()) await stack.secrets.destroy(epoch)
  stack.advanceMs(2_000)
  const status = await send(stack, 'GET', path)
  expect([status.status, codeOf(status)]).toEqual([404, 'ORDER_NOT_FOUND'])
  const stream = await fetch(`${api.baseUrl}${path}/events`, {
    headers: { authorization: `Bearer ${stack.apiKey}` },
  })
  const text = await stream.text()
  console.log(
    'STREAM',
    stream.status,
    JSON.stringify(text),
    api
      .logged()
      .split('\n')
      .filter((l) => l.includes('event_stream')),
  )
  const client = createSottoClient({ baseUrl: api.baseUrl, apiKey: stack.apiKey })
  const raced = await Promise.race([
    (async () => {
      for await (const _ of client.events(made.trackingId)) return 'event'
      return 'end'
    })().catch((error: unknown) => `error ${String((error as { code?: string }).code)}`),
    new Promise<string>((r) => setTimeout(() => r('still reconnecting'), 20_000)),
  ])
  console.log(
    'SDK',
    raced,
    api
      .logged()
      .split('\n')
      .filter((l) => l.includes('event_stream')).length,
  )
  expect(stream.status).toBe(404)
})

it('the order of a crowd states the time in which it can still be delivered', async () => {
  const request = { ...solSend(stack), minCrowd: 2 }
  const { quote } = await quoteOf(stack, request)
  const { order: made } = await placedWith(request)
  const status = await send(stack, 'GET', `/transfer/v1/status/${made.trackingId}`)
  console.log(
    'ETA',
    quote.duration,
    made.eta,
    (status.body['order'] as { eta: number }).eta,
    made.deliverBy,
  )
})
async function placedWith(request: ReturnType<typeof solSend>) {
  const { quote } = await quoteOf(stack, request)
  const answer = await order(stack, orderBody(quote, request))
  return { order: answer.body['order'] as { trackingId: string; eta: number; deliverBy: string } }
}
