import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { databaseMetrics } from '../../src/adapters/metrics/database-metrics.ts'
import { markPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { openMigrated } from '../migrated-database.ts'

const NOW_MS = 1_760_000_000_000
/** Milliseconds after which a cached answer has expired. */
const LATER_MS = 10_000

let database: Database
let nowMs = NOW_MS
const registry = new Registry()
beforeAll(async () => {
  database = await openMigrated()
  databaseMetrics(registry, database, { nowMs: () => nowMs, sleep: systemClock.sleep })
})
afterAll(() => database?.close())

async function shown(): Promise<Map<string, number>> {
  nowMs += LATER_MS
  const lines = (await registry.metrics()).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^(sotto_\S+) (\S+)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, JSON.parse(value ?? '') as number]]
    }),
  )
}

it('a value that no worker has ever reported is not shown as zero', async () => {
  const metrics = await shown()
  expect(metrics.get('sotto_database_up')).toBe(1)
  expect(metrics.get('sotto_orders_halted')).toBe(0)
  expect(metrics.get('sotto_outbox_late')).toBe(0)
  expect(metrics.get('sotto_paid_payees_complete')).toBe(1)
  for (const name of ['books_agree', 'books_timestamp_seconds', 'relayers_timestamp_seconds']) {
    expect(metrics.has(`sotto_${name}`)).toBe(false)
  }
  expect(metrics.has('sotto_followed_timestamp_seconds')).toBe(false)
})

it('any process shows the workers’ last reports', async () => {
  await database.query(
    `INSERT INTO chain_cursor (program, domain, slot, block_height, unix_seconds, next_leaf, halted, updated_at)
     VALUES ('p', $1, 1, 1, 1, 12345, 'books_differ', $2)`,
    [Buffer.alloc(32), new Date(NOW_MS)],
  )
  await database.query('UPDATE health SET books_agree = false, books_at = $1', [new Date(NOW_MS)])
  await markPaidPayees(database, false)
  // One row was due five minutes ago, and the other row is due in a minute.
  for (const [index, dueMs] of [NOW_MS - 300_000, NOW_MS + 60_000].entries()) {
    await database.query(
      'INSERT INTO outbox (name, sealed, due_at, hour) VALUES ($1, $2, $3, $3)',
      [Buffer.alloc(32, index), Buffer.alloc(1), new Date(dueMs)],
    )
  }
  const metrics = await shown()
  expect(metrics.get('sotto_tree_leaves')).toBe(12_000)
  expect(metrics.get('sotto_database_connections{state="idle"}')).toBeGreaterThan(0)
  expect(metrics.get('sotto_database_connections{state="waiting"}')).toBe(0)
  expect(metrics.get('sotto_orders_halted')).toBe(1)
  expect(metrics.get('sotto_books_agree')).toBe(0)
  expect(metrics.get('sotto_books_timestamp_seconds')).toBe(NOW_MS / 1_000)
  expect(metrics.get('sotto_followed_timestamp_seconds')).toBe(NOW_MS / 1_000)
  expect(metrics.get('sotto_outbox_late')).toBe(1)
  expect(metrics.get('sotto_paid_payees_complete')).toBe(0)
})

it('no database value is shown while the database does not answer', async () => {
  const broken = new Registry()
  const query = () => Promise.reject(new Error('gone'))
  const clock = { nowMs: () => nowMs, sleep: systemClock.sleep }
  databaseMetrics(broken, { ...database, query }, clock)
  const text = await broken.metrics()
  expect(text).toMatch(/^sotto_database_up 0$/m)
  expect(text).not.toMatch(/^sotto_(books_agree|orders_halted|outbox_late) /m)
})
