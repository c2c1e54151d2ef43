import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { placed, quoteOf, order, orderBody, send, solSend } from '../http/partner-client.ts'
let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(async () => {
  await stack?.close()
})
it('no order is made that the program refuses, after the operator lowered the pool’s limit', async () => {
  await stack.operate('pool', 'config', '--admin', stack.adminFile, '--max-deposit-seconds', '700')
  await stack.market.refresh()
  const request = solSend(stack)
  const ready = await fetch(`${stack.baseUrl}/readyz`)
  const answer = await order(stack, orderBody((await quoteOf(stack, request)).quote, request))
  console.log(
    'readyz',
    ready.status,
    'order',
    answer.status,
    JSON.stringify(answer.body).slice(0, 200),
  )
  const wire = (answer.body as any).order.transaction
  const simulated = await stack.rpc
    .simulateTransaction(wire, {
      encoding: 'base64',
      commitment: 'confirmed',
      replaceRecentBlockhash: true,
    } as never)
    .send()
  console.log(
    'simulation',
    JSON.stringify(simulated.value, (_, v) => (typeof v === 'bigint' ? `${v}` : v)).slice(0, 700),
  )
  expect(ready.status).toBe(503)
  void placed
  void send
})
