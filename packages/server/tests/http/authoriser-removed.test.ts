import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  placed,
  quoteOf,
  send,
  solSend,
} from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(async () => {
  await stack?.close()
})

/** Changes the pool's authorisers, and lets the API read the pool. */
async function rotate(...words: string[]): Promise<void> {
  await stack.operate('pool', 'rotate', '--admin', stack.adminFile, ...words)
  await stack.market.refresh()
}

const readiness = async () => {
  const answer = await fetch(`${stack.baseUrl}/readyz`)
  const { issues } = (await answer.json()) as { issues?: { message: string }[] }
  return [answer.status, issues?.[0]?.message]
}

it('quotes, orders and refreshes are refused while the pool does not have the API’s authoriser key', async () => {
  const { authorisers } = await stack.operate<{ authorisers: [string, null] }>('pool', 'show')
  const request = solSend(stack)
  const { order: paid } = await placed(stack, request)
  const body = orderBody((await quoteOf(stack, request)).quote, request)
  const orders = await countOrders(stack)

  await rotate('--slot', '1', '--authoriser', makeWallet().address)
  expect(await readiness()).toEqual([200, undefined])
  await rotate('--slot', '0', '--unset')
  expect(await readiness()).toEqual([503, expect.stringMatching(/SOTTO_AUTHORISER_KEY/)])
  const refused = [
    await send(stack, 'POST', '/transfer/v1/quote', { body: request }),
    await order(stack, body),
    await send(stack, 'POST', `/transfer/v1/order/${paid.trackingId}/refresh`, { body: {} }),
  ]
  for (const answer of refused) {
    expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_PAUSED'])
  }
  expect(await countOrders(stack)).toBe(orders)
  const { body: listed } = await send(stack, 'GET', '/transfer/v1/tokens')
  expect((listed['tokens'] as { canSend: boolean }[]).map(({ canSend }) => canSend)).not.toContain(
    true,
  )

  await rotate('--slot', '0', '--authoriser', authorisers[0])
  expect(await readiness()).toEqual([200, undefined])
  expect((await order(stack, body)).status).toBe(200)
})
