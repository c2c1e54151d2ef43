import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlOverviewStore } from '../../src/adapters/store/overview-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { markPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import { openMigrated } from '../migrated-database.ts'

let database: Database
beforeAll(async () => void (database = await openMigrated()))
afterAll(() => database?.close())

it('counts only settlements on which a worker works', async () => {
  const statuses = ['deposited', 'delivering', 'refunding', 'delivered', 'refunded', 'moved']
  for (const [index, status] of statuses.entries()) {
    await database.query('INSERT INTO settlements (pseudonym, status) VALUES ($1, $2)', [
      Buffer.alloc(32, index),
      status,
    ])
  }
  const { open } = await sqlOverviewStore(database).readOverview()
  expect(open).toEqual({ awaitingDeposit: 0, delivering: 2, refunding: 1 })
})

it('reports whether payees of earlier settlements are missing', async () => {
  const has = async () => (await sqlOverviewStore(database).readOverview()).hasPaidPayees
  expect(await has()).toBe(true)
  await markPaidPayees(database, false)
  expect(await has()).toBe(false)
})
