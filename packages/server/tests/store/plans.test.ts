import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { ACCOUNT, drawId } from './open-stores.ts'

let postgres: SharedPostgres
let database: Database
beforeAll(async () => {
  postgres = await sharedPostgres()
  // The test uses one connection, because PostgreSQL caches plans separately for each connection.
  database = openPostgres(await postgres.createMigrated(), { connectionsMax: 1 })
  await migrate(database)
})
afterAll(async () => {
  await database.close()
  await postgres.stop()
})

/** After this many runs of a statement, the database uses one plan for all parameters. */
const RUNS = 10

async function keptPlan(statement: string, parameters: string): Promise<string> {
  const rows = await database.query<Record<'QUERY PLAN', string>>(
    `EXPLAIN EXECUTE "${statement}" (${parameters})`,
    [],
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

it('a connection that was opened on an empty table finds orders by their indexes', async () => {
  const orders = sqlOrderStore(database, { read: async () => undefined })
  for (let run = 0; run < RUNS; run += 1) {
    await orders.findReplays(ACCOUNT, drawId(), undefined)
    await orders.findReplays(ACCOUNT, drawId(), 'key')
    await orders.readOrder(ACCOUNT, drawId())
  }
  expect(await keptPlan('find-by-quote', `'[]'`)).toContain(
    "Index Cond: (quote_nonce = decode(given.searched, 'hex'::text))",
  )
  const byEither = await keptPlan('find-by-quote-or-key', `'${ACCOUNT}', '', 'key'`)
  expect(byEither).toContain('Index Cond: (quote_nonce = $2)')
  expect(byEither).toContain('Index Cond: (idempotency_key = $3)')
  expect(byEither).not.toContain('orders_by_account')
  expect(await keptPlan('read-order', `'[]'`)).toContain(
    "Index Cond: (id = decode(given.searched, 'hex'::text))",
  )
  const kept = await database.query<{ name: string }>(
    'SELECT name FROM pg_prepared_statements WHERE generic_plans > 0 ORDER BY name',
    [],
  )
  expect(kept.map(({ name }) => name)).toEqual([
    ...['find-by-quote', 'find-by-quote-or-key', 'read-order'],
  ])
})
