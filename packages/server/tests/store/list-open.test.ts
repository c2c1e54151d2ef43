import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { SettlementStore } from '../../src/ports/settlement-store.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { beginLife, type Life, type LivedOrder } from './join/life.ts'

let postgres: StartedPostgres
let database: Database
let life: Life
let deposits: LivedOrder[]
beforeAll(async () => {
  postgres = await startPostgres()
  database = openPostgres(await postgres.createDatabase())
  life = await beginLife(database)
  deposits = []
  for (let count = 0; count < 6; count += 1) deposits.push(await life.deposit())
})
afterAll(async () => {
  await database?.close()
  await postgres?.stop()
})

/** The leaves of the orders that a store lists, in ascending order. */
const leaves = async ({ listOpen }: SettlementStore) =>
  (await listOpen()).map(({ leafIndex }) => leafIndex).sort((a, b) => a - b)

it('lists the open orders after any number of polls, even if other workers settled the rest', async () => {
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

it('finds an order whose deposit is recorded after those of settled ones, after some polls', async () => {
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
