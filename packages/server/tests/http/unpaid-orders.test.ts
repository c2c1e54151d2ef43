import { ownerOf, packOwner } from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EpochSecrets } from '../../src/ports/secrets.ts'
import { createOrderEndpoint } from '../../src/http/endpoints/create-order.ts'
import { quoteTransferEndpoint } from '../../src/http/endpoints/quote-transfer.ts'
import { callAsPage } from '../../src/http/send-page/page-calls.ts'
import { MemoryDatabase } from '../../../../sim/store/memory-database.ts'
import { memorySettlementStore } from '../../../../sim/store/memory-settlement-store.ts'
import {
  watchRelayers,
  type WatchDependencies,
} from '../../src/settlement/upkeep/watch-relayers.ts'
import { newOrder } from '../store/chain-of-steps.ts'
import { memoryOrderStore } from '../../../../sim/store/memory-order-store.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { startApi } from './start-api.ts'
import { codeOf, order, orderBody, quoteOf, send, solSend, type Answer } from './partner-client.ts'

let stack: HttpStack
let other: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
  await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const made = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
  other = { ...stack, apiKey: made.apiKey }
})
afterAll(() => stack.close())

/** Reports, as a worker does, that the relayers can pay for this many additional orders. */
async function report(freeOrders: number): Promise<void> {
  const values = [freeOrders, new Date()]
  const text = 'UPDATE health SET is_liquid = true, free_orders = $1, liquid_at = $2'
  await stack.database.query(text, values)
  await stack.market.refresh()
}

async function orderAs(by: HttpStack): Promise<Answer> {
  const request = solSend(by)
  return order(by, orderBody((await quoteOf(by, request)).quote, request))
}

describe('orders that one account leaves unpaid', () => {
  beforeEach(async () => {
    await stack.database.query("UPDATE orders SET status = 'expired'", [])
    await report(8)
  })

  it('leave other accounts their part of the relayers’ balance', async () => {
    const codes: (string | undefined)[] = []
    for (let count = 0; count < 14; count += 1) {
      const answer = await orderAs(stack)
      codes.push(codeOf(answer))
      if (answer.status === 200) continue
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(codes.filter((code) => code === undefined)).toHaveLength(8)
    expect(codes.slice(8)).toEqual(Array(6).fill('UNPAID_ORDERS_LIMIT'))
    await stack.market.refresh()
    for (let count = 0; count < 4; count += 1) expect((await orderAs(other)).status).toBe(200)
    expect(codeOf(await orderAs(other))).toBe('UNPAID_ORDERS_LIMIT')
    for (const by of [stack, other]) expect((await quoteOf(by, solSend(by))).success).toBe(true)
  })

  it('are bounded by the account’s own cap if the relayers’ balance suffices', async () => {
    await report(1_000)
    await stack.operate('account', 'set', '--id', 'other', '--open-orders-max', '2')
    stack.advanceMs(1_000)
    expect((await orderAs(other)).status).toBe(200)
    expect((await orderAs(other)).status).toBe(200)
    expect(codeOf(await orderAs(other))).toBe('UNPAID_ORDERS_LIMIT')
    expect((await orderAs(stack)).status).toBe(200)
    await stack.operate('account', 'set', '--id', 'other', '--open-orders-max', '1000')
    stack.advanceMs(1_000)
  })
})

it('orders that can’t be paid any more don’t stop new orders, even if they haven’t expired yet', async () => {
  await stack.database.query("UPDATE orders SET status = 'expired'", [])
  await report(1_000)
  const limitTo = async (most: number) => {
    await stack.operate('account', 'set', '--id', 'other', '--open-orders-max', `${most}`)
    stack.advanceMs(1_000)
  }
  await limitTo(2)
  for (let count = 0; count < 2; count += 1) expect((await orderAs(other)).status).toBe(200)
  expect(codeOf(await orderAs(other))).toBe('UNPAID_ORDERS_LIMIT')
  // The orders have ended, but no order expires while only one of several nodes answers.
  const { finalSeconds } = await stack.market.refresh()
  const text = "UPDATE orders SET valid_until = $1 WHERE account_id = 'other'"
  await stack.database.query(text, [`${finalSeconds - 1n}`])
  for (let count = 0; count < 2; count += 1) expect((await orderAs(other)).status).toBe(200)
  expect(codeOf(await orderAs(other))).toBe('UNPAID_ORDERS_LIMIT')
  await limitTo(1_000)
})

it('unpaid swaps of an account are limited, and the error names the cause', async () => {
  await stack.database.query("UPDATE orders SET status = 'expired'", [])
  await report(1_000)
  const limitTo = async (most: number) => {
    await stack.operate('account', 'set', '--id', 'other', '--open-swaps-max', `${most}`)
    stack.advanceMs(1_000)
  }
  await limitTo(1)
  const swapped = async (by: HttpStack) => {
    const request = solSend(by, { destinationAssetId: stack.usdc, amount: '100000000' })
    return order(by, orderBody((await quoteOf(by, request)).quote, request))
  }
  expect((await swapped(other)).status).toBe(200)
  const refused = await swapped(other)
  expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const [issue] = refused.body['issues'] as { param: string; message: string }[]
  expect(issue?.param).toBe('quote')
  expect(issue?.message).toMatch(/unpaid swaps.*pay one.*payableUntil/)
  expect((await orderAs(other)).status).toBe(200)
  expect((await swapped(stack)).status).toBe(200)
  await limitTo(20)
  expect((await swapped(other)).status).toBe(200)
})

describe('orders that are refunded if their crowd is missed', () => {
  type Missed = 'deliver' | 'refund'
  const wish = (crowdMissed: Missed) => ({ minCrowd: 2, crowdMissed, maxDelaySeconds: 1_800 })
  const made = async (by: HttpStack, crowdMissed?: Missed) => {
    const request = solSend(by, crowdMissed === undefined ? {} : wish(crowdMissed))
    return order(by, orderBody((await quoteOf(by, request)).quote, request))
  }

  it('are limited for each account', async () => {
    const settings = { ...stack.settings, SOTTO_CROWD_ORDERS_PER_DAY: '2' }
    const replica = { ...stack, ...(await startApi(stack, settings)) }
    try {
      for (let count = 0; count < 2; count += 1)
        expect((await made(replica, 'refund')).status).toBe(200)
      await stack.database.query("UPDATE orders SET status = 'expired'", [])
      const refused = await made(replica, 'refund')
      expect([codeOf(refused), refused.status]).toEqual(['RATE_LIMITED', 429])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(40_000)
      expect((await made(replica, 'deliver')).status).toBe(200)
      expect((await made(replica)).status).toBe(200)
      expect((await made({ ...replica, apiKey: other.apiKey }, 'refund')).status).toBe(200)
    } finally {
      await replica.stop()
    }
  })

  it('use up no allowance if they are refused', async () => {
    const settings = { ...stack.settings, SOTTO_CROWD_ORDERS_PER_DAY: '1' }
    const replica = { ...stack, ...(await startApi(stack, settings)), apiKey: other.apiKey }
    const setOrdersMax = async (most: number) => {
      await stack.operate('account', 'set', '--id', 'other', '--open-orders-max', `${most}`)
      replica.advanceMs(1_000)
    }
    try {
      await stack.database.query("UPDATE orders SET status = 'expired'", [])
      await report(1_000)
      await setOrdersMax(1)
      expect((await made(replica)).status).toBe(200)
      for (let count = 0; count < 2; count += 1)
        expect(codeOf(await made(replica, 'refund'))).toBe('UNPAID_ORDERS_LIMIT')
      await setOrdersMax(1_000)
      expect((await made(replica, 'refund')).status).toBe(200)
      expect(codeOf(await made(replica, 'refund'))).toBe('RATE_LIMITED')
    } finally {
      await replica.stop()
    }
  })

  it('get ORDER_IN_PROGRESS, not RATE_LIMITED, if their own duplicate uses up the allowance', async () => {
    let hasBegun: () => void = () => undefined
    let isHeld: Promise<void> | undefined
    const { database } = stack
    const held: typeof database = {
      ...database,
      query: async (text, parameters, name) => {
        if (text.includes('INSERT INTO orders')) {
          hasBegun()
          await isHeld
        }
        return database.query(text, parameters, name)
      },
    }
    const settings = { ...stack.settings, SOTTO_CROWD_ORDERS_PER_DAY: '1' }
    const replica = { ...stack, ...(await startApi({ ...stack, database: held }, settings)) }
    try {
      const request = solSend(replica, wish('refund'))
      const body = orderBody((await quoteOf(replica, request)).quote, request)
      let release: () => void = () => undefined
      isHeld = new Promise((resolve) => (release = resolve))
      const begun = new Promise<void>((resolve) => (hasBegun = resolve))
      const first = order(replica, body)
      await begun
      const second = await order(replica, body)
      release()
      expect([codeOf(await first), codeOf(second)]).toEqual([undefined, 'ORDER_IN_PROGRESS'])
      expect(codeOf(await made(replica, 'refund'))).toBe('RATE_LIMITED')
    } finally {
      await replica.stop()
    }
  })
})

it('127 unpaid orders do not stop new orders if the relayers have 1 SOL', async () => {
  const database = new MemoryDatabase()
  const orders = memoryOrderStore(database)
  for (let count = 0; count < 127; count += 1) await orders.tryCreate(newOrder(), undefined)
  await watchRelayers({
    chain: { readBalances: async () => ({ balances: [1_000_000_000n], lamportsPerByte: 6_960n }) },
    store: {
      ...memorySettlementStore(database),
      readCursor: async () => ({ nextLeaf: 0n, slot: 0n, unixSeconds: 0n }),
    },
    relayers: [],
    clock: { nowMs: () => 0, sleep: async () => undefined },
    log: { alert: () => expect.fail('new orders were stopped') },
    opener: { openAll: async () => [], openPayments: async () => [] },
    proofQueue: { proofsPerHour: 1_800 },
    workerId: 'worker',
    prices: { floor: 0, ceiling: 0, percentile: 75 },
  } as unknown as WatchDependencies)
  expect(database.liquidity).toMatchObject({ isLiquid: true, freeOrders: 150 })
})

describe('visitors of the send page', () => {
  it('of one network use up only the places of that network', async () => {
    await stack.database.query("UPDATE orders SET status = 'expired'", [])
    await report(1_000)
    const swaps = { destinationAssetId: stack.usdc, amount: '100000000' }
    const balanceKey = Buffer.from(packOwner(ownerOf(4_711n))).toString('hex')
    const topUp = { recipientAddress: stack.sender.address, balanceKey }
    const made = async (visitor: string, change = {}, quoted = {}) => {
      const request = solSend(stack, { ...quoted, ...change })
      const call = (endpoint: unknown, body: unknown) =>
        callAsPage(stack.useCases, stack.apiKey, endpoint as never, { body }, visitor)
      const { quote } = JSON.parse(await call(quoteTransferEndpoint, request)) as never
      const body = { ...orderBody(quote, request), ...change }
      return call(createOrderEndpoint, body).then(
        () => 'made',
        (error: unknown) => (error as { code: string }).code,
      )
    }
    // The last two networks are in one /48, which one customer may have.
    for (const [visitor, neighbour] of [
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.2', '192.0.2.2'],
      ['2001:db8:1:1', '2001:db8:1:2'],
    ] as const) {
      for (let count = 0; count < 3; count += 1) expect(await made(visitor, {}, swaps)).toBe('made')
      expect(await made(neighbour, {}, swaps)).toBe('RATE_LIMITED')
      for (let count = 0; count < 3; count += 1) expect(await made(visitor, topUp)).toBe('made')
      for (let count = 0; count < 4; count += 1) expect(await made(visitor)).toBe('made')
      expect(await made(neighbour, topUp)).toBe('UNPAID_ORDERS_LIMIT')
      expect(await made(neighbour)).toBe('UNPAID_ORDERS_LIMIT')
    }
    const rows = await stack.database.query<{ network: Uint8Array | null }>(
      "SELECT DISTINCT network FROM orders WHERE status = 'awaiting_deposit'",
      [],
    )
    expect(rows).toHaveLength(3)
    const [epoch] = await stack.secrets.list()
    const keys = (await stack.secrets.read(epoch!)) as EpochSecrets
    const names = rows.map(({ network }) => Buffer.from(network!).toString('hex'))
    const expected = keys.fingerprint('network 192.0.2.1').slice(0, 16)
    expect(names).toContain(Buffer.from(expected).toString('hex'))
  })
})

it('the max of a quote is the part of the inventory that the account may still reserve', async () => {
  await stack.database.query("UPDATE orders SET status = 'expired'", [])
  await stack.market.refresh()
  const swap = (amount: string) => solSend(stack, { destinationAssetId: stack.usdc, amount })
  const refused = await send(stack, 'POST', '/transfer/v1/quote', { body: swap('7000000000') })
  expect(codeOf(refused)).toBe('AMOUNT_OUT_OF_RANGE')
  const max = refused.body['max'] as string
  const request = swap(max)
  const made = await order(stack, orderBody((await quoteOf(stack, request)).quote, request))
  expect(made.status).toBe(200)
  expect(codeOf(await send(stack, 'POST', '/transfer/v1/quote', { body: request }))).toMatch(
    /AMOUNT_OUT_OF_RANGE|LIQUIDITY_UNAVAILABLE/,
  )
  // The other half of the inventory is available to other accounts.
  expect((await quoteOf(other, swap('6000000000'))).success).toBe(true)
})
