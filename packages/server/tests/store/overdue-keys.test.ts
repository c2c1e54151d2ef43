import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { BALANCE_SECONDS_MIN } from '../../src/domain/balance.ts'
import type { OpenOrder } from '../../src/ports/settlement-store.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { beginLife, EPOCH, EPOCH_MS, RETENTION_MS, type Life } from './join/life.ts'

/**
 * The first full hour after the retention time, in milliseconds since 1970. The retention time begins when the orders
 * end.
 */
const DUE_MS = (EPOCH + 1) * EPOCH_MS + RETENTION_MS
const LATE_MS = DUE_MS + 40 * EPOCH_MS

let postgres: SharedPostgres
let database: Database
let life: Life
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())
beforeEach(async () => {
  database = openPostgres(await postgres.createDatabase())
  life = await beginLife(database)
})
afterEach(() => database.close())

it('a key is reported as overdue if it is not destroyed in time', async () => {
  await life.settle(await life.deposit(), 'deliver')
  await database.query(`UPDATE orders SET expiry = deadline + ${BALANCE_SECONDS_MIN}`, [])
  await life.store.recordBooks(false, LATE_MS)
  await life.destroyAt(LATE_MS)
  expect(await life.secrets.list()).toEqual([EPOCH])
  await life.store.recordBooks(true, LATE_MS)
  await life.destroyAt(LATE_MS)
  expect(await life.secrets.list()).toEqual([])
  expect(life.keysDestroyedUntil).toEqual([DUE_MS, LATE_MS])
})

it('the key of an hour with an open order is not overdue', async () => {
  const [paid] = [await life.deposit(), await life.deposit()]
  await life.settle(paid, 'deliver')
  const nowMs = DUE_MS + 60_000
  await life.destroyAt(nowMs)
  expect(await life.secrets.list()).toEqual([EPOCH])
  expect(life.keysDestroyedUntil).toEqual([nowMs])
})

it('a key that cannot be destroyed is reported as overdue since the hour in which it was due', async () => {
  await life.settle(await life.deposit(), 'deliver')
  const { secrets } = life
  const destroy = secrets.destroy.bind(secrets)
  Object.assign(secrets, { destroy: () => Promise.reject(new Error('the keystore denies it')) })
  await life.destroyAt(LATE_MS)
  Object.assign(secrets, { destroy })
  await life.destroyAt(LATE_MS)
  // The first attempt cleared the rows of the hour, so only the hour's key is left.
  expect(life.keysDestroyedUntil).toEqual([DUE_MS, LATE_MS])
})

it('an epoch is complete only if two nodes confirm the tree at least two minutes after the first count', async () => {
  await life.settle(await life.deposit(), 'deliver')
  await life.destroyOnceAt(LATE_MS)
  const laterMs = LATE_MS + 180_000
  await life.destroyOnceAt(laterMs, laterMs, LATE_MS + 119_000)
  expect(await life.secrets.list()).toEqual([EPOCH])
  await life.destroyOnceAt(laterMs, laterMs, LATE_MS + 120_000)
  expect(await life.secrets.list()).toEqual([])
})

it('an epoch is complete only if the counted leaves are as many as those of the tree that two nodes confirm', async () => {
  await life.settle(await life.deposit(), 'deliver')
  await life.destroyOnceAt(LATE_MS)
  const laterMs = LATE_MS + 180_000
  await life.destroyOnceAt(laterMs, laterMs, laterMs, 1)
  expect(await life.secrets.list()).toEqual([EPOCH])
  await life.destroyOnceAt(laterMs, laterMs, laterMs)
  expect(await life.secrets.list()).toEqual([])
})

it('a reseal dates the row of the former key correctly even if the worker’s clock is years ahead', async () => {
  const { order } = await life.deposit()
  await life.secrets.forNewOrder(EPOCH + 1)
  const lease = (await life.store.tryClaim(order.id, 'keeper', DUE_MS, DUE_MS + 8_000))!
  const [{ sealedPlan: plan }] = (await life.store.listOpen([order.id])) as [OpenOrder]
  const sealed = new Uint8Array([1])
  const resealed = { epoch: EPOCH + 1, plan, sealedTerms: sealed, sealedPlan: sealed }
  const yearsAheadMs = DUE_MS + 20_000 * EPOCH_MS
  expect(await life.store.tryReseal(lease, resealed, yearsAheadMs)).toBe(true)
  const rows = await database.query<{ readonly final_hour: Date }>(
    `SELECT final_hour FROM settlements WHERE status = 'moved'`,
    [],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.final_hour.getTime()).toBeLessThan((EPOCH + 4) * EPOCH_MS)
})
