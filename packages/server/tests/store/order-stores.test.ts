import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderRoom, SwapRoom } from '../../src/ports/order-store.ts'
import { REPORTED_MS } from '../../src/domain/delivery-schedule.ts'
import { ChainOfSteps, DEADLINE, newOrder, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  API_KEY,
  FEE_RECIPIENT,
  NOW_MS,
  openStores,
  OTHER_ACCOUNT,
  OTHER_MINT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

/** Room for swaps of 100 base units in total, and for many orders. */
function roomOf(swap: Partial<SwapRoom>, ordersMax = 1_000): OrderRoom & { swap: SwapRoom } {
  const bounds = {
    accountMax: amount(1_000_000n),
    networkMax: amount(1_000_000n),
    openSwapsMax: 20,
  }
  return { ordersMax, swap: { available: amount(100n), ...bounds, nowSeconds: DEADLINE, ...swap } }
}

const HOUR_MS = 3_600_000

describe.each(STORE_KINDS)('orders in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  it('makes one order for many requests with one quote or one key', async () => {
    const { quoteNonce } = newOrder()
    const byQuote = [1, 2, 3].map(() =>
      stores.orders.tryCreate(newOrder({ quoteNonce }), undefined),
    )
    expect((await Promise.all(byQuote)).sort()).toEqual(['created', 'taken', 'taken'])
    const keyed = { idempotencyKey: 'one key' }
    const byKey = [1, 2, 3].map(() => stores.orders.tryCreate(newOrder(keyed), undefined))
    expect((await Promise.all(byKey)).sort()).toEqual(['created', 'taken', 'taken'])
    const other = newOrder({ ...keyed, accountId: OTHER_ACCOUNT })
    expect(await stores.orders.tryCreate(other, undefined)).toBe('created')
  })

  it('finds an order by its quote or its key only for its own account', async () => {
    const order = newOrder({ idempotencyKey: 'found' })
    await stores.orders.tryCreate(order, undefined)
    const nobody = newOrder().quoteNonce
    const ids = async (account: string, nonce: Uint8Array, key: string | undefined) =>
      (await stores.orders.findReplays(account, nonce, key)).map(({ id }) => id)
    expect(await ids(ACCOUNT, order.quoteNonce, undefined)).toEqual([order.id])
    expect(await ids(ACCOUNT, nobody, 'found')).toEqual([order.id])
    expect(await ids(ACCOUNT, nobody, undefined)).toEqual([])
    expect(await ids(OTHER_ACCOUNT, order.quoteNonce, 'found')).toEqual([])
    const [replay] = await stores.orders.findReplays(ACCOUNT, order.quoteNonce, undefined)
    expect(replay?.sealedResponse).toEqual(order.sealedResponse)
  })

  it('returns an order as it was written', async () => {
    const order = newOrder({ reference: 'r', amountIn: amount(18_446_744_073_709_551_615n) })
    await stores.orders.tryCreate(order, undefined)
    const found = await stores.orders.readOrder(ACCOUNT, order.id)
    const { sealedResponse: _, ...columns } = order
    expect(found?.order).toMatchObject({ ...columns, status: 'awaiting_deposit' })
    expect(found?.followed).toBeDefined()
    expect(await stores.orders.readOrder(OTHER_ACCOUNT, order.id)).toBeUndefined()
  })

  it('gives each of many simultaneous requests its own order', async () => {
    const orders = Array.from({ length: 80 }, () => newOrder())
    for (const order of orders) await stores.orders.tryCreate(order, undefined)
    const asked = orders.flatMap((order, index) => {
      const account = index % 3 === 0 ? OTHER_ACCOUNT : ACCOUNT
      const expected = account === ACCOUNT ? order.id : undefined
      return [
        { ...order, account, expected },
        { id: newOrder().id, quoteNonce: newOrder().quoteNonce, account, expected: undefined },
      ]
    })
    const found = await Promise.all(
      asked.map(async ({ id, quoteNonce, account, expected }) => ({
        expected,
        read: (await stores.orders.readOrder(account, id))?.order.id,
        replay: (await stores.orders.findReplays(account, quoteNonce, undefined))[0]?.id,
      })),
    )
    for (const { expected, read, replay } of found) {
      expect([read, replay]).toEqual([expected, expected])
    }
  })

  it('counts the provers of the workers that have reported lately', async () => {
    const queueAt = async (atMs: number) =>
      (await stores.market.readMarket(0n, unixSeconds(0n), atMs - REPORTED_MS)).queue
    const report = (worker: string, openOrders: number, atMs: number) =>
      stores.settlement.recordProvers({ worker, openOrders, proofsPerHour: 3_600, atMs })
    await report('ended', 7, NOW_MS)
    expect(await queueAt(NOW_MS)).toMatchObject({ open: 7, settledPerSecond: 1 })
    // No worker has reported for an hour.
    expect(await queueAt(NOW_MS + HOUR_MS)).toMatchObject({ open: 7, settledPerSecond: 1 })
    await report('first', 9, NOW_MS + HOUR_MS)
    await report('second', 8, NOW_MS + HOUR_MS)
    expect(await queueAt(NOW_MS + HOUR_MS)).toMatchObject({ open: 9, settledPerSecond: 2 })
    // The first worker's last report is dated back, as if that worker had ended.
    await report('first', 9, NOW_MS + HOUR_MS - REPORTED_MS - 1)
    expect(await queueAt(NOW_MS + HOUR_MS)).toMatchObject({ open: 8, settledPerSecond: 1 })
    await report('second', 8, NOW_MS + HOUR_MS - REPORTED_MS - 1)
    // No worker has reported lately, so the last reports are used.
    expect(await queueAt(NOW_MS + HOUR_MS + 1)).toMatchObject({ open: 9, settledPerSecond: 2 })
  })

  it('keeps the greatest block height of several refreshes', async () => {
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    const read = async () => (await stores.orders.readOrder(ACCOUNT, order.id))!.order
    const refresh = (lastValidBlockHeight: bigint) =>
      stores.orders.tryRefresh(order.id, lastValidBlockHeight, NOW_MS + 5)
    expect(await refresh(300n)).toBe(true)
    expect(await refresh(200n)).toBe(true)
    expect((await read()).lastValidBlockHeight).toBe(300n)
    await chain.record(chain.batch([order]))
    expect(await refresh(400n)).toBe(false)
    expect(await read()).toMatchObject({ status: 'deposited', sealedPlan: SEALED })
  })

  it('reserves inventory for unpaid swaps only until they expire', async () => {
    const swap = { destinationMint: OTHER_MINT, value: amount(60n) }
    const room = roomOf({ openSwapsMax: 2, nowSeconds: unixSeconds(DEADLINE - 10n) })
    expect(await stores.orders.tryCreate(newOrder(swap), room)).toBe('created')
    expect(await stores.orders.tryCreate(newOrder(swap), room)).toBe('no_inventory')
    const small = { ...swap, value: amount(10n) }
    expect(await stores.orders.tryCreate(newOrder(small), room)).toBe('created')
    expect(await stores.orders.tryCreate(newOrder(small), room)).toBe('too_many_swaps')
    const market = await stores.market.readMarket(0n, unixSeconds(DEADLINE - 10n))
    expect(market.reservations).toEqual([{ mint: OTHER_MINT, accountId: ACCOUNT, amount: 70n }])
    const later = await stores.market.readMarket(0n, unixSeconds(DEADLINE + 1n))
    expect(later.reservations).toEqual([])
  })

  it('reports a used quote or key before it checks the room for a swap', async () => {
    const validUntil = unixSeconds(DEADLINE - 50n)
    const swap = { destinationMint: OTHER_MINT, value: amount(60n), validUntil }
    const room = roomOf({ openSwapsMax: 1, nowSeconds: unixSeconds(DEADLINE - 50n) })
    const accountId = OTHER_ACCOUNT
    const first = newOrder({ ...swap, accountId, idempotencyKey: 'swap', value: amount(1n) })
    const tight = roomOf({ ...room.swap, available: amount(100_000n) })
    expect(await stores.orders.tryCreate(first, tight)).toBe('created')
    const { quoteNonce } = first
    for (const change of [{ quoteNonce }, { idempotencyKey: 'swap' }]) {
      const second = newOrder({ ...swap, accountId, ...change })
      expect(await stores.orders.tryCreate(second, tight)).toBe('taken')
    }
    const third = newOrder({ ...swap, accountId })
    expect(await stores.orders.tryCreate(third, tight)).toBe('too_many_swaps')
    expect(await stores.orders.tryCreate(third, room)).toMatch(/no_inventory|too_many_swaps/)
    expect(await stores.orders.readOrder(accountId, third.id)).toBeUndefined()
  })

  it('lets an account’s swaps reserve at most the account’s share of the inventory', async () => {
    const swap = {
      destinationMint: OTHER_MINT,
      validUntil: unixSeconds(DEADLINE + 400n),
      accountId: OTHER_ACCOUNT,
    }
    const nowSeconds = DEADLINE + 300n
    const room = roomOf({ accountMax: amount(50n), nowSeconds: unixSeconds(nowSeconds) })
    const of = (value: bigint, change = {}) =>
      newOrder({ ...swap, value: amount(value), ...change })
    expect(await stores.orders.tryCreate(of(51n), room)).toBe('no_inventory')
    expect(await stores.orders.tryCreate(of(30n), room)).toBe('created')
    expect(await stores.orders.tryCreate(of(21n), room)).toBe('no_inventory')
    expect(await stores.orders.tryCreate(of(20n), room)).toBe('created')
    // The rest of the inventory is available to other accounts.
    const other = of(50n, { accountId: ACCOUNT })
    expect(await stores.orders.tryCreate(other, room)).toBe('created')
    for (const { id } of [other]) expect(await stores.orders.tryRefresh(id, 1n, NOW_MS)).toBe(true)
  })

  it('gives each network of visitors its own places', async () => {
    const accountId = 'page'
    await stores.addAccount(accountId)
    const networks = [1, 2].map((byte) => new Uint8Array(16).fill(byte))
    const validUntil = unixSeconds(DEADLINE + 900n)
    const make = (network: Uint8Array | undefined, room: OrderRoom, change = {}) =>
      stores.orders.tryCreate(newOrder({ accountId, network, validUntil, ...change }), room)
    const sends = { ordersMax: 2, swap: undefined }
    for (const network of [...networks, undefined]) {
      const outcomes = [1, 2, 3].map(() => make(network, sends))
      expect((await Promise.all(outcomes)).sort()).toEqual([
        'created',
        'created',
        'too_many_unpaid',
      ])
    }
    const swaps = roomOf({
      openSwapsMax: 1,
      networkMax: amount(40n),
      nowSeconds: unixSeconds(DEADLINE + 800n),
    })
    const swap = { destinationMint: OTHER_MINT, value: amount(39n) }
    for (const network of networks) {
      expect(await make(network, swaps, { ...swap, value: amount(41n) })).toBe('no_inventory')
      expect(await make(network, swaps, swap)).toBe('created')
      expect(await make(network, swaps, { ...swap, value: amount(1n) })).toBe('too_many_swaps')
    }
  })

  it('lets an account’s unpaid order occupy a place until the order is paid', async () => {
    const accountId = 'full'
    for (const id of [accountId, 'empty']) await stores.addAccount(id)
    const room = { ordersMax: 2, swap: undefined }
    const nonces = [newOrder({ accountId }), newOrder({ accountId })]
    for (const order of nonces) expect(await stores.orders.tryCreate(order, room)).toBe('created')
    const third = () => stores.orders.tryCreate(newOrder({ accountId }), room)
    expect(await third()).toBe('too_many_unpaid')
    const { quoteNonce } = nonces[0]!
    const again = newOrder({ accountId, quoteNonce })
    expect(await stores.orders.tryCreate(again, room)).toBe('taken')
    const elsewhere = newOrder({ accountId: 'empty' })
    expect(await stores.orders.tryCreate(elsewhere, room)).toBe('created')
    const unpaid = async () => (await stores.market.readMarket(0n, DEADLINE)).unpaid
    expect(await unpaid()).toContainEqual({ accountId, open: 2, paid: 0, ended: 0 })
    await chain.record(chain.batch([nonces[0]!]))
    expect(await unpaid()).toContainEqual({ accountId, open: 1, paid: 1, ended: 1 })
    expect(await third()).toBe('created')
    expect(await third()).toBe('too_many_unpaid')
  })

  it('lists orders page by page, the newest first', async () => {
    const accountId = OTHER_ACCOUNT
    for (const late of [5, 9, 7]) {
      await stores.orders.tryCreate(newOrder({ accountId, createdAtMs: NOW_MS + late }), undefined)
    }
    const page = await stores.orders.listOrders(accountId, 2, undefined)
    expect(page.map(({ createdAtMs }) => createdAtMs - NOW_MS)).toEqual([9, 7])
    const last = page.at(-1)
    const next = await stores.orders.listOrders(accountId, 2, last)
    expect(next.map(({ createdAtMs }) => createdAtMs - NOW_MS)).toEqual([5, 0])
  })

  it('keeps the first reason of a halt', async () => {
    const { assets, halted } = await stores.market.readMarket(DEADLINE - 200n, DEADLINE)
    expect(assets.map(({ mint }) => mint).sort()).toEqual([NATIVE_MINT, OTHER_MINT].sort())
    expect(halted).toBeUndefined()
    await stores.settlement.halt('first')
    await stores.settlement.halt('second')
    expect((await stores.market.readMarket(0n, unixSeconds(0n))).halted).toBe('first')
  })

  it('finds keys and fee recipients', async () => {
    expect(await stores.accounts.findApiKey(API_KEY.keyId)).toEqual(API_KEY)
    expect(await stores.accounts.findApiKey('nobody')).toBeUndefined()
    expect(await stores.accounts.hasFeeRecipient(ACCOUNT, FEE_RECIPIENT)).toBe(true)
    expect(await stores.accounts.hasFeeRecipient(OTHER_ACCOUNT, FEE_RECIPIENT)).toBe(false)
  })

  it('lets only one of many workers replace the price of transactions', async () => {
    expect(await stores.settlement.readPrice()).toBeUndefined()
    await stores.settlement.raisePrice(2)
    const [raised, next] = [await stores.settlement.readPrice(), { hour: 500_000, step: 1 }]
    expect(raised).toEqual({ hour: 0, step: 2 })
    expect(await stores.settlement.tryReplacePrice(undefined, next)).toBe(false)
    const replaced = [1, 2, 3].map(() => stores.settlement.tryReplacePrice(raised, next))
    expect((await Promise.all(replaced)).filter((isDone) => isDone)).toHaveLength(1)
    await stores.settlement.raisePrice(4)
    await stores.settlement.raisePrice(3)
    expect(await stores.settlement.readPrice()).toEqual({ hour: 500_000, step: 4 })
    expect((await stores.market.readMarket(0n, unixSeconds(0n))).priceStep).toBe(4)
  })

  it('reads the reservations of each network of visitors', async () => {
    // The swaps of the other tests end earlier.
    const [nowSeconds, end] = [unixSeconds(DEADLINE + 1_000n), unixSeconds(DEADLINE + 2_000n)]
    const times = { validUntil: end, deadline: end, expiry: unixSeconds(end + 3_600n) }
    const swap = { ...times, destinationMint: OTHER_MINT, value: amount(10n) }
    const room = roomOf({ nowSeconds })
    const [one, other] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)]
    for (const network of [one, one, other, undefined]) {
      expect(await stores.orders.tryCreate(newOrder({ ...swap, network }), room)).toBe('created')
    }
    const { reservations } = await stores.market.readMarket(0n, nowSeconds)
    const read = reservations.map(({ network, amount: sum }) => `${network?.[0]} ${sum}`)
    expect(read.sort()).toEqual(['1 20', '2 10', 'undefined 10'])
  })
})
