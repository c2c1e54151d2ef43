import { amount, NATIVE_MINT, unixSeconds, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPglite } from '../../src/adapters/store/pglite.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { tryInsertAsset } from '../../src/operator/asset/asset-row.ts'
import type { NewOrder, OrderStore } from '../../src/ports/order-store.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { drawLeaf } from './chain-of-steps.ts'

const NOW_MS = 1_800_000_000_000
const ROOM = { ordersMax: 1_000_000, swap: undefined }
/**
 * Number of orders. It is larger than the number of orders that one statement inserts, and isn't a multiple of that
 * number.
 */
const ORDERS = 40

let postgres: SharedPostgres
/** A database of each kind, with the statements that it was asked to run. */
const kinds: { database: Database; store: OrderStore; texts: string[] }[] = []
beforeAll(async () => {
  postgres = await sharedPostgres()
  for (const database of [openPostgres(await postgres.createMigrated()), await openPglite()]) {
    await migrate(database)
    await database.query(
      `INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ('a', 'a', 0, now()), ('b', 'b', 0, now())`,
      [],
    )
    const fees = { serviceBps: 0, networkFeeExists: amount(0n), networkFeeCreated: amount(0n) }
    const asset = { mint: NATIVE_MINT, symbol: 'SOL', name: 'SOL', decimals: 9, ...fees }
    const rest = { inputMax: amount(1n), kind: 'native', isSwappable: true } as const
    await tryInsertAsset(database, { ...asset, ...rest }, NOW_MS)
    const texts: string[] = []
    const watched: Database = {
      ...database,
      query: (text, parameters, name) => {
        texts.push(text)
        return database.query(text, parameters, name)
      },
    }
    kinds.push({ database, store: sqlOrderStore(watched, { read: async () => undefined }), texts })
  }
})
afterAll(async () => {
  await Promise.all(kinds.map(({ database }) => database.close()))
  await postgres.stop()
})

const bytes = (count: number) => new Uint8Array(randomBytes(count))

const draft = (index: number, change: Partial<NewOrder> = {}): NewOrder => ({
  ...{ id: bytes(16), accountId: 'a', quoteNonce: bytes(16), fingerprint: bytes(64), epoch: 7 },
  idempotencyKey: undefined,
  ...{ reference: index % 3 === 0 ? undefined : `order ${index}`, network: undefined },
  ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT },
  ...{ amountIn: amount(1_000n + BigInt(index)), partnerFee: amount(BigInt(index)) },
  ...{ value: amount(900n + BigInt(index)), amountOut: amount(800n + BigInt(index)) },
  sender: 'SysvarC1ock11111111111111111111111111111111' as Address,
  partnerAccount: index % 4 === 0 ? undefined : NATIVE_MINT,
  deadline: unixSeconds(1_800_000_000n + BigInt(index)),
  validUntil: unixSeconds(1_799_000_000n + BigInt(index)),
  expiry: unixSeconds(1_800_003_600n + BigInt(index)),
  ...{ inner: BigInt(index + 1), leaf: drawLeaf(), payload: bytes(65) },
  lastValidBlockHeight: BigInt(index + 5),
  ...{ sealedTerms: bytes(80), sealedResponse: bytes(900), createdAtMs: NOW_MS + index },
  ...change,
})

const times = <T>(make: (index: number) => T) => Array.from({ length: ORDERS }, (_, i) => make(i))

it('orders that share statements are stored as if each order had its own statement', async () => {
  for (const { database, store, texts } of kinds) {
    texts.length = 0
    const orders = times((index) => draft(index))
    expect(await Promise.all(orders.map((one) => store.tryCreate(one, ROOM)))).toEqual(
      times(() => 'created'),
    )
    expect(texts.length).toBeLessThan(ORDERS / 2)
    for (const order of orders) {
      const stored = await store.readOrder('a', order.id)
      const { network, idempotencyKey, reference, partnerAccount, sealedResponse, ...exact } = order
      expect(network).toBeUndefined()
      expect(stored?.order).toMatchObject({
        ...exact,
        ...{ status: 'awaiting_deposit', idempotencyKey, reference, partnerAccount },
      })
      const [replay] = await store.findReplays('a', order.quoteNonce, undefined)
      expect(replay).toMatchObject({ id: order.id, sealedResponse })
    }
    const places = await database.query<{ place: number }>('SELECT place FROM orders', [])
    expect(places.every(({ place }) => place >= 0 && place < ROOM.ordersMax)).toBe(true)
    expect(new Set(places.map(({ place }) => place)).size).toBe(ORDERS)
  }
})

it('an order that the database refuses fails alone', async () => {
  for (const { store } of kinds) {
    const used = draft(0)
    expect(await store.tryCreate(used, ROOM)).toBe('created')
    const orders = times((index) =>
      index === 7
        ? // The table refuses a payout above the value.
          draft(index, { amountOut: amount(2_000n) })
        : index === 20
          ? draft(index, { quoteNonce: used.quoteNonce })
          : draft(index),
    )
    const outcomes = await Promise.allSettled(orders.map((one) => store.tryCreate(one, ROOM)))
    const answers = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))
    expect(answers).toEqual(
      times((index) => (index === 7 ? 'failed' : index === 20 ? 'taken' : 'created')),
    )
    expect(await store.readOrder('a', orders[7]!.id)).toBeUndefined()
  }
})

it('orders that race for the same quotes in different sequences all get an answer', async () => {
  const [{ database, store }] = kinds as [(typeof kinds)[number]]
  const other = sqlOrderStore(database, { read: async () => undefined })
  for (let round = 0; round < 3; round += 1) {
    const quotes = times(() => bytes(16))
    const outcomes = await Promise.all([
      ...quotes.map((quoteNonce, i) => store.tryCreate(draft(i, { quoteNonce }), ROOM)),
      ...quotes
        .toReversed()
        .map((quoteNonce, i) => other.tryCreate(draft(i, { quoteNonce }), ROOM)),
    ])
    const count = (wanted: string) => outcomes.filter((one) => one === wanted).length
    expect([count('created'), count('taken')]).toEqual([ORDERS, ORDERS])
  }
})

it('orders that race for the same keys share no statement', async () => {
  const [{ store, texts }] = kinds as [(typeof kinds)[number]]
  texts.length = 0
  // Two shared statements that insert the same keys in different sequences could end in a deadlock.
  const keys = times((index) => `shared ${index}`)
  const withKey = (idempotencyKey: string, index: number) =>
    store.tryCreate(draft(index, { idempotencyKey }), ROOM)
  const outcomes = await Promise.all([...keys.map(withKey), ...keys.toReversed().map(withKey)])
  const count = (wanted: string) => outcomes.filter((one) => one === wanted).length
  expect([count('created'), count('taken')]).toEqual([ORDERS, ORDERS])
  expect(texts.some((text) => text.includes('FROM (VALUES'))).toBe(false)
})

it('the statement that tries a single place is not repeated if the order’s first random place is taken', async () => {
  const isAtAnyPlace = (text: string) => text.includes('VALUES ($1') && text.includes('random()')
  for (const { store, texts } of kinds) {
    const room = { ...ROOM, ordersMax: 1 }
    const create = () => store.tryCreate(draft(0, { accountId: 'b' }), room)
    expect(await create()).toBe('created')
    texts.length = 0
    expect(await create()).toBe('too_many_unpaid')
    expect(texts.filter(isAtAnyPlace)).toHaveLength(1)
  }
})
