import { afterAll, beforeAll, expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import type { Secrets } from '../../src/ports/secrets.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { ChainOfSteps, DEADLINE, newOrder } from './chain-of-steps.ts'
import { NOW_MS, openSql, type Stores } from './open-stores.ts'

const ORDERS = 2_500

let postgres: SharedPostgres
let stores: Stores
let chain: ChainOfSteps
let keysRead = 0
const notified: string[] = []
beforeAll(async () => {
  postgres = await sharedPostgres()
  const database = openPostgres(await postgres.createMigrated(), { connectionsMax: 2 })
  const opened = await openSql(database)
  const secrets: Secrets = {
    ...opened.secrets!,
    read: async (epoch) => {
      keysRead += 1
      return opened.secrets!.read(epoch)
    },
  }
  const clock = { nowMs: () => NOW_MS, sleep: async () => {} }
  const notifier = { clock, notify: (names: readonly string[]) => void notified.push(...names) }
  stores = { ...opened, settlement: createSettlementStore(database, secrets, notifier) }
  chain = await ChainOfSteps.begin(stores)
  const order = newOrder()
  expect(await stores.orders.tryCreate(order, undefined)).toBe('created')
  await database.query(
    `INSERT INTO orders SELECT (jsonb_populate_record(orders, jsonb_build_object(
       'id', '\\x' || md5('order ' || n), 'quote_nonce', '\\x' || md5('quote ' || n), 'place', 1000 + n,
       'leaf', '\\x00' || substr(md5('a' || n), 3) || md5('b' || n)))).*
     FROM orders, generate_series(2, ${ORDERS}) AS n WHERE id = $1`,
    [order.id],
  )
})
afterAll(async () => {
  await stores?.close()
  await postgres?.stop()
})

/** Records a step, and returns the number of orders that expire in it. */
async function expiredBy(expiresBefore: bigint): Promise<number> {
  const step = chain.batch([])
  const head = { ...step.head, unixSeconds: unixSeconds(DEADLINE + 600n) }
  const before = notified.length
  await chain.record({ ...step, head, expiresBefore: unixSeconds(expiresBefore) })
  return notified.length - before
}

it('nothing is sealed for an order that can’t expire yet, though the chain’s clock is past the order’s end', async () => {
  keysRead = 0
  expect(await expiredBy(DEADLINE)).toBe(0)
  expect(keysRead).toBe(0)
})

it('expires at most 1,000 orders in a step, and the others in the steps that follow', async () => {
  const steps: number[] = []
  for (let step = 0; step < 4; step += 1) steps.push(await expiredBy(DEADLINE + 1n))
  expect(steps).toEqual([1_000, 1_000, 500, 0])
  expect(new Set(notified).size).toBe(ORDERS)
})
