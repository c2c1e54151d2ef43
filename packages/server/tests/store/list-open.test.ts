import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { SettlementStore } from '../../src/ports/settlement-store.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { beginLife, type Life, type LivedOrder } from './join/life.ts'

let postgres: SharedPostgres
let database: Database
let life: Life
let deposits: LivedOrder[]
beforeAll(async () => {
  postgres = await sharedPostgres()
  database = openPostgres(await postgres.createDatabase())
  life = await beginLife(database)
  deposits = []
  for (let count = 0; count < 6; count += 1) deposits.push(await life.deposit())
})
afterAll(async () => {
  await database?.close()
  await postgres?.stop()
})

/** The leaf indexes of the orders that a store lists, in ascending order. */
const leaves = async ({ listOpen }: SettlementStore) =>
  (await listOpen()).map(({ leafIndex }) => leafIndex).sort((a, b) => a - b)

it('the open orders are listed even if another worker settled the other orders', async () => {
  const other = createSettlementStore(database, life.secrets)
  expect(await leaves(other)).toEqual([0, 1, 2, 3, 4, 5])
  for (const index of [0, 2, 1]) await life.settle(deposits[index]!, 'deliver')
  expect(await leaves(other)).toEqual([3, 4, 5])
  for (const index of [5, 3, 4]) await life.settle(deposits[index]!, 'refund')
  expect(await leaves(other)).toEqual([])
  deposits.push(await life.deposit())
  const { leafIndex } = deposits[6]!
  expect([await leaves(other), await leaves(life.store)]).toEqual([[leafIndex], [leafIndex]])
})

it('an order is listed after some polls if its deposit was recorded late', async () => {
  const { order, leafIndex } = deposits[6]!
  await database.query("UPDATE orders SET status = 'awaiting_deposit' WHERE id = $1", [order.id])
  deposits.push(await life.deposit())
  const other = createSettlementStore(database, life.secrets)
  await life.settle(deposits[7]!, 'deliver')
  expect(await leaves(other)).toEqual([])
  await database.query("UPDATE orders SET status = 'deposited' WHERE id = $1", [order.id])
  const found: number[][] = []
  for (let look = 0; look < 65; look += 1) found.push(await leaves(other))
  expect(found.at(-1)).toEqual([leafIndex])
})

it('listing due orders reads no additional rows for waiting balances or ended orders', async () => {
  let rows = 0
  const counted: Database = {
    ...database,
    query: async (...statement) => {
      const found = await database.query(...statement)
      rows += found.length
      return found as never[]
    },
  }
  const store = createSettlementStore(counted, life.secrets)
  const listed = async (which: 'all' | 'due') => {
    rows = 0
    const indexes = (await store.listOpen(which)).map(({ leafIndex }) => leafIndex)
    return { indexes: indexes.sort((a, b) => a - b), rows }
  }
  // The first round reads all orders.
  await listed('due')
  const before = await listed('due')
  const resting: LivedOrder[] = []
  for (let count = 0; count < 5; count += 1) resting.push(await life.deposit())
  const places = resting.map(({ leafIndex }) => leafIndex)
  const ids = resting.map(({ order }) => order.id)
  const setLife = (seconds: bigint) =>
    database.query(
      `UPDATE orders SET expiry = deadline + $2, deposit_at = deadline - 7200 WHERE id = ANY ($1::bytea[])`,
      [ids, seconds.toString()],
    )
  // The chain's clock is after the balances' first hour and before their end.
  await database.query(
    'UPDATE chain_cursor SET unix_seconds = (SELECT MAX(deadline) FROM orders) + 60',
    [],
  )
  await setLife(86_400n)
  expect(await listed('due')).toEqual(before)
  expect((await listed('all')).indexes).toEqual([...before.indexes, ...places])
  const [some] = await store.listOpen([ids[2]!])
  expect(some?.leafIndex).toBe(places[2])
  const passEnds = () =>
    database.query(
      'UPDATE chain_cursor SET unix_seconds = (SELECT MAX(expiry) FROM orders) + 1',
      [],
    )
  await passEnds()
  const found: number[][] = []
  for (let look = 0; look < 65; look += 1) found.push((await listed('due')).indexes)
  expect(found.at(-1)).toEqual([...before.indexes, ...places])
  // At most one of these three rounds reads all orders. The first round learns which orders have ended. So the smallest
  // number belongs to a normal round.
  const rowsOfRound = async () => {
    const rounds = [await listed('due'), await listed('due'), await listed('due')]
    for (const { indexes } of rounds) expect(indexes).toEqual(places)
    return Math.min(...rounds.map((one) => one.rows))
  }
  // One order's deposit was recorded late. `life.store` finds that order only in a round that lists all orders.
  for (let look = 0; look < 65; look += 1) await life.store.listOpen()
  await life.settle(deposits[6]!, 'deliver')
  await passEnds()
  const withBalances = await rowsOfRound()
  for (let count = 0; count < 4; count += 1) await life.settle(await life.deposit(), 'deliver')
  await passEnds()
  expect(await rowsOfRound()).toBe(withBalances)
})
