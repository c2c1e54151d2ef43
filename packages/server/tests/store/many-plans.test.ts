import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { planName, readReplaced } from '../../src/adapters/store/settlement/plans.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { TOP_UPS } from './join/balances.ts'
import { beginLife, type Life } from './join/life.ts'

const PLANS = 2_000

let postgres: SharedPostgres
let database: Database
let life: Life
beforeAll(async () => {
  postgres = await sharedPostgres()
  database = openPostgres(await postgres.createMigrated())
  life = await beginLife(database)
})
afterAll(async () => {
  await database?.close()
  await postgres?.stop()
})

it('the newest of many plans is found in one query once its number is known', async () => {
  const { order } = await life.deposit('acme', TOP_UPS)
  const planned = { orderId: order.id, key: (await life.secrets.read(TOP_UPS))! }
  const names = Array.from({ length: PLANS }, (_, index) => planName(planned, index + 1))
  const add = (some: readonly string[]) =>
    database.query(
      `INSERT INTO plans (name, sealed, hour)
       SELECT decode(given.name, 'hex'), '\\x01'::bytea, now()
       FROM unnest($1::text[]) AS given (name)`,
      [some],
    )
  await add(names.slice(0, -2))
  let queries = 0
  const counted: Database = {
    ...database,
    query: (...statement) => {
      queries += 1
      return database.query(...statement)
    },
  }
  const newest = async () => (await readReplaced(counted, [planned]))[0]!.number
  expect(await newest()).toBe(PLANS - 2)
  await add(names.slice(-2))
  queries = 0
  expect(await newest()).toBe(PLANS)
  expect(queries).toBeLessThanOrEqual(2)
  queries = 0
  expect(await newest()).toBe(PLANS)
  expect(queries).toBe(1)
  // An older copy of the database lacks the newest plans.
  await database.query('DELETE FROM plans WHERE name = ANY ($1::bytea[])', [
    names.slice(100).map((name) => Buffer.from(name, 'hex')),
  ])
  expect(await newest()).toBe(100)
})
