import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
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
import { startApi } from './start-api.ts'

/** A replica without a worker. It knows the chain only through reports that workers wrote to the database. */
let stack: HttpStack
let first: HttpStack
beforeAll(async () => {
  first = await startHttpStack()
  const { database, secrets, rpc, settings } = first
  const store = createSettlementStore(database, secrets)
  await store.openCursor(PROGRAM, new Uint8Array(32), Date.now())
  await store.recordLiquidity({ isLiquid: true, freeOrders: 100, atMs: Date.now() })
  const replica = await startApi({ database, secrets, rpc, isAlone: true }, settings)
  stack = { ...first, ...replica }
})
afterAll(async () => {
  await stack.stop()
  await first.close()
})

/** Sets the time when a worker last followed the chain, and lets the replica read it. */
async function followedBefore(seconds: number): Promise<void> {
  const at = new Date(Date.now() - seconds * 1_000)
  await stack.database.query('UPDATE chain_cursor SET slot = 1, updated_at = $1', [at])
  await stack.market.refresh()
}

const isReady = async () => (await fetch(`${stack.baseUrl}/readyz`)).status === 200
const causeOf = async () => {
  const answer = await fetch(`${stack.baseUrl}/readyz`)
  return ((await answer.json()) as { issues?: { message: string }[] }).issues?.[0]?.message
}

it('quotes, orders and refreshes are refused while no worker follows the chain', async () => {
  // The cursor exists, but no worker has followed the chain yet. The replica is ready, because workers may still be
  // starting.
  await stack.market.refresh()
  expect(await isReady()).toBe(true)
  await followedBefore(100)
  expect(await isReady()).toBe(true)
  const request = solSend(stack)
  const { order: paid } = await placed(stack, request)
  const body = orderBody((await quoteOf(stack, request)).quote, request)
  const orders = await countOrders(stack)

  await followedBefore(120)
  expect(await isReady()).toBe(false)
  expect(await causeOf()).toMatch(/^for too long, no worker has followed the chain/)
  const refused = [
    await send(stack, 'POST', '/transfer/v1/quote', { body: request }),
    await order(stack, body),
    await send(stack, 'POST', `/transfer/v1/order/${paid.trackingId}/refresh`, { body: {} }),
  ]
  for (const answer of refused) {
    expect([answer.status, codeOf(answer)]).toEqual([503, 'UPSTREAM_UNAVAILABLE'])
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(answer.body['issues']).toMatchObject([{ param: 'chain' }])
  }
  expect(await countOrders(stack)).toBe(orders)
  const tokens = await send(stack, 'GET', '/transfer/v1/tokens')
  expect((tokens.body['tokens'] as { canSend: boolean }[]).some(({ canSend }) => canSend)).toBe(
    false,
  )
  // Earlier orders can still be queried.
  expect((await send(stack, 'GET', `/transfer/v1/status/${paid.trackingId}`)).status).toBe(200)

  await followedBefore(1)
  expect(await isReady()).toBe(true)
  expect((await order(stack, body)).status).toBe(200)
})
