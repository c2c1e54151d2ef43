import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { ChainOfSteps, newOrder } from './chain-of-steps.ts'
import { newPayment, newSignature } from './new-payment.ts'
import { NOW_MS, openStores, type Stores } from './open-stores.ts'

let stores: Stores
let database: Database
beforeAll(async () => {
  stores = await openStores('PGlite')
  if (stores.database === undefined || stores.secrets === undefined) throw new Error('no database')
  database = stores.database
})
afterAll(() => stores.close())

const FIRST_STATEMENT = 'create-order'
const SEARCH = 'FROM generate_series(0'

/**
 * An order store whose database always reports that the first drawn place is occupied. `later` lists the inserts that
 * follow such a report.
 */
function unlucky() {
  const later: string[] = []
  const query: Database['query'] = async (text, parameters, name) => {
    if (name === FIRST_STATEMENT) return []
    if (text.startsWith('INSERT')) later.push(text)
    return database.query(text, parameters, name)
  }
  const { secrets } = stores
  if (secrets === undefined) throw new Error('no secrets')
  return { orders: sqlOrderStore({ ...database, query }, secrets), later }
}

it('an order whose first place is occupied does not search all places', async () => {
  const { orders, later } = unlucky()
  const room = { ordersMax: 1_000_000, swap: undefined }
  expect(await orders.tryCreate(newOrder(), room)).toBe('created')
  expect(later).toHaveLength(1)
  expect(later.filter((text) => text.includes(SEARCH))).toEqual([])
})

it('an account’s orders occupy each of its places once', async () => {
  const accountId = 'with-few-places'
  await stores.addAccount(accountId)
  const { orders, later } = unlucky()
  const room = { ordersMax: 60, swap: undefined }
  for (let count = 0; count < 60; count += 1) {
    expect(await orders.tryCreate(newOrder({ accountId }), room)).toBe('created')
  }
  expect(await orders.tryCreate(newOrder({ accountId }), room)).toBe('too_many_unpaid')
  const text = 'SELECT place FROM orders WHERE account_id = $1 ORDER BY place'
  const rows = await database.query<{ readonly place: number }>(text, [accountId])
  expect(rows.map(({ place }) => place)).toEqual([...Array(60).keys()])
  // While many places were free, orders drew places at random instead of searching all places.
  expect(later.filter((one) => one.includes(SEARCH)).length).toBeLessThan(40)
})

it('a paid order and a signed payment do not keep the name of their network', async () => {
  const network = new Uint8Array(16).fill(7)
  const chain = await ChainOfSteps.begin(stores)
  const orderId = await chain.deposited({ network })
  const payment = newPayment({ network })
  await stores.orders.tryCreatePayment(payment, 1_000)
  const networkOf = async (id: Uint8Array) => {
    const text = 'SELECT network FROM orders WHERE id = $1'
    const [row] = await database.query<{ readonly network: Uint8Array }>(text, [id])
    return new Uint8Array(row!.network)
  }
  expect(await networkOf(payment.id)).toEqual(network)
  await stores.orders.trySign(payment.id, newSignature(), NOW_MS)
  expect(await networkOf(payment.id)).toHaveLength(0)
  expect(await networkOf(orderId)).toHaveLength(0)
})
