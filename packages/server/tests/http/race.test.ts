import type { Order } from '@sotto/contract'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  quoteOf,
  send,
  solSend,
  type Answer,
} from './partner-client.ts'

const ROUNDS = Number(process.env['SOTTO_RACE_ROUNDS'] ?? 2)
const REQUESTS = 100
/** A time limit that is far longer than a round takes on a busy machine. */
const TIMEOUT_MS = 2 * HUNG_MS + ROUNDS * 20_000
let postgres: SharedPostgres
let stack: HttpStack
beforeAll(async () => {
  postgres = await sharedPostgres()
  const url = await postgres.createMigrated()
  stack = await startHttpStack(async () => openPostgres(url))
  // Every round leaves an unpaid order, and the default limit is lower than the number of rounds of a long run.
  await stack.database.query('UPDATE accounts SET open_orders_max = $1', [ROUNDS + REQUESTS])
})
afterAll(async () => {
  await stack.close()
  await postgres.stop()
})

it('makes one order for a quote in a race of different keys', async () => {
  const before = await countOrders(stack)
  const request = solSend(stack)
  const { quote } = await quoteOf(stack, request)
  const body = orderBody(quote, request)
  const keys = Array.from({ length: REQUESTS }, (_, index) => `same-quote-${index}`)
  const answers = await Promise.all(keys.map((key) => order(stack, body, key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await countOrders(stack)).toBe(before + 1)
})

it(
  'makes one order for identical requests that race',
  async () => {
    const before = await countOrders(stack)
    for (let round = 1; round <= ROUNDS; round += 1) {
      const request = solSend(stack)
      const { quote } = await quoteOf(stack, request)
      const body = orderBody(quote, request)
      const key = round % 2 === 0 ? `round-${round}` : undefined
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, () => order(stack, body, key)),
      )
      expect(await countOrders(stack)).toBe(before + round)
      const codes = answers.map(codeOf).filter((code) => code !== undefined)
      for (const code of codes) expect(code).toBe('ORDER_IN_PROGRESS')
      for (const { status, headers } of answers) {
        if (status === 409) expect(headers.get('retry-after')).toBe('1')
      }
      const won = answers.filter(({ status }) => status === 200).map(({ text }) => text)
      expect(new Set(won).size).toBe(1)
      expect((await order(stack, body, key)).text).toBe(won[0])
    }
  },
  TIMEOUT_MS,
)

/** Moves the chain's clock past the end of all swap authorisations, and waits for a finalized slot with that time. */
async function endAuthorisations(): Promise<void> {
  const { finalSeconds } = await stack.market.refresh()
  await stack.localnet.local('localnet_advanceTime', [240])
  while ((await stack.market.refresh()).finalSeconds < finalSeconds + 200n) await sleep(100)
}

it('asks the losers of a race of identical swaps to retry', async () => {
  const before = await countOrders(stack)
  // The amount is more than half of the account's share, so a second order would exceed the share.
  const request = solSend(stack, { amount: '6000000000', destinationAssetId: stack.usdc })
  for (const key of [undefined, 'swap']) {
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, () => order(stack, body, key)),
    )
    const codes = new Set(answers.map(codeOf).filter((code) => code !== undefined))
    expect([...codes].filter((code) => code !== 'ORDER_IN_PROGRESS')).toEqual([])
    const won = answers.filter(({ status }) => status === 200).map(({ text }) => text)
    expect(new Set(won).size).toBe(1)
    expect((await order(stack, body, key)).text).toBe(won[0])
    // The order's reservation ends together with its authorisation.
    await endAuthorisations()
  }
  expect(await countOrders(stack)).toBe(before + 2)
})

/** Orders several swaps at once, each of about 448 USDC. The account's share is 1,000 of the inventory's 2,000 USDC. */
async function orderSwaps(count: number): Promise<Answer[]> {
  const requests = Array.from({ length: count }, () =>
    solSend(stack, { amount: '3000000000', destinationAssetId: stack.usdc }),
  )
  const bodies = await Promise.all(
    requests.map(async (request) => orderBody((await quoteOf(stack, request)).quote, request)),
  )
  return Promise.all(bodies.map((body) => order(stack, body)))
}

const created = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200)

it('never reserves more inventory for swaps than the account’s share', async () => {
  const answers = await orderSwaps(4)
  const first = created(answers)
  expect(first).toHaveLength(2)
  expect(answers.map(codeOf).filter((code) => code === 'LIQUIDITY_UNAVAILABLE')).toHaveLength(2)

  const refresh = ({ body }: Answer) =>
    send(stack, 'POST', `/transfer/v1/order/${(body['order'] as Order).trackingId}/refresh`)
  // An order's own reservation doesn't prevent a refresh of that order.
  expect((await Promise.all(first.map(refresh))).map(({ status }) => status)).toEqual([200, 200])
  // After the authorisations have ended, other orders can reserve the inventory, and a refresh of the first orders is
  // refused.
  await endAuthorisations()
  expect(created(await orderSwaps(2))).toHaveLength(2)
  expect((await Promise.all(first.map(refresh))).map(codeOf)).toEqual([
    'ORDER_EXPIRED',
    'ORDER_EXPIRED',
  ])
})
