import { afterAll, beforeAll, expect, it } from 'vitest'
import { NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { sqlPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { recordedDatabase, type RecordedDatabase } from '../http/recorded-database.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { ChainOfSteps, newOrder } from './chain-of-steps.ts'
import { openSql, type Stores } from './open-stores.ts'

let postgres: SharedPostgres
let database: RecordedDatabase
let stores: Stores
let chain: ChainOfSteps
beforeAll(async () => {
  postgres = await sharedPostgres()
  const url = await postgres.createMigrated()
  database = recordedDatabase(openPostgres(url, { connectionsMax: 1 }))
  stores = await openSql(database)
  chain = await ChainOfSteps.begin(stores)
  await database.query('SET enable_seqscan = off', [])
})
afterAll(async () => {
  await stores?.close()
  await postgres?.stop()
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

/** Indexes that contain only open orders. They stay small, so a statement may scan them. */
const OPEN = ['orders_open', 'orders_unpaid', 'orders_deposited']

/** True if a plan scans a growing table, or a full index of it, from beginning to end. */
function readsAll(plan: Plan): boolean {
  const { 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = plan
  const isGrowing = ['orders', 'leaves', 'paid_payees'].includes(table ?? '')
  const isScan = plan['Node Type'].includes('Scan') && plan['Node Type'] !== 'Bitmap Heap Scan'
  const isBounded = condition !== undefined || (index !== undefined && OPEN.includes(index))
  return (isGrowing && isScan && !isBounded) || (plan.Plans ?? []).some(readsAll)
}

/** Runs some work with sequential scans disabled. Returns the statements that still read all of a growing table. */
async function scansOf(work: () => Promise<unknown>): Promise<string[]> {
  const from = database.statements.length
  await work()
  const asked = database.statements
    .slice(from)
    .filter(({ text }) => /^\s*(SELECT|UPDATE)/.test(text))
  expect(asked.length).toBeGreaterThan(0)
  const scans: string[] = []
  for (const { text, parameters } of asked) {
    const explain = `EXPLAIN (FORMAT JSON) ${text}`
    type Row = Record<'QUERY PLAN', readonly [{ readonly Plan: Plan }]>
    const [row] = await database.query<Row>(explain, parameters)
    if (row === undefined || readsAll(row['QUERY PLAN'][0].Plan)) scans.push(text)
  }
  return scans
}

it('a step along the chain scans no growing table', async () => {
  const order = newOrder()
  expect(await stores.orders.tryCreate(order, undefined)).toBe('created')
  expect(
    await scansOf(async () => {
      expect(await chain.record(chain.batch([order]))).toBe(true)
    }),
  ).toEqual([])
})

it('the repeated queries of workers scan no growing table', async () => {
  const { settlement } = stores
  const leaves = [newOrder().leaf]
  const { wasPaid } = sqlPaidPayees(database, { nowMs: () => 0 })
  expect(await scansOf(async () => wasPaid(NATIVE_MINT, 'asker'))).toEqual([])
  expect(await scansOf(() => settlement.readAwaiting(leaves))).toEqual([])
  expect(await scansOf(() => settlement.listArrived(unixSeconds(2_000_000_000n)))).toEqual([])
  expect(await scansOf(() => settlement.listUnlocated(10))).toEqual([])
  expect(await scansOf(() => settlement.markSeen(leaves, 1))).toEqual([])
  expect(await scansOf(() => settlement.readLeaves(1))).toEqual([])
})
