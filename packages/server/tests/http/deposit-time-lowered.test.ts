import { TIME_GRID_SECONDS } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, countOrders, order, orderBody, quoteOf, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(async () => {
  await stack?.close()
})

/** Changes the pool's longest time for a deposit, and lets the API read the pool. */
async function allow(seconds: bigint | number): Promise<void> {
  const words = ['--admin', stack.adminFile, '--max-deposit-seconds', `${seconds}`]
  await stack.operate('pool', 'config', ...words)
  await stack.market.refresh()
}

const readiness = async () => {
  const answer = await fetch(`${stack.baseUrl}/readyz`)
  const { issues } = (await answer.json()) as { issues?: { message: string }[] }
  return [answer.status, issues?.[0]?.message]
}

it('quotes and orders are refused while the pool allows a deposit less time than an order has', async () => {
  const { maxDepositSeconds } = await stack.operate<{ maxDepositSeconds: number }>('pool', 'show')
  const shortest = BigInt(readConfig(stack.settings).ORDER_SECONDS) + TIME_GRID_SECONDS
  const request = solSend(stack)
  const body = orderBody((await quoteOf(stack, request)).quote, request)
  const orders = await countOrders(stack)

  await allow(shortest - 1n)
  expect(await readiness()).toEqual([503, expect.stringMatching(/SOTTO_ORDER_SECONDS/)])
  for (const answer of [
    await send(stack, 'POST', '/transfer/v1/quote', { body: request }),
    await order(stack, body),
  ]) {
    expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_PAUSED'])
  }
  expect(await countOrders(stack)).toBe(orders)

  await allow(shortest)
  expect(await readiness()).toEqual([200, undefined])
  expect((await order(stack, body)).status).toBe(200)
  await allow(maxDepositSeconds)
})
