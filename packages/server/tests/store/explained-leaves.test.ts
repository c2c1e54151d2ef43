import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { writeOff } from '../../src/adapters/store/settlement/epochs.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { beginLife, type Life } from './join/life.ts'

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
  for (let leaves = 0; leaves < 3; leaves += 1) await life.appendUnknown()
})
afterEach(() => database.close())

it('a written-off leaf counts once even if the tree has it twice', async () => {
  const { store } = life
  const [first, second] = await store.readLeaves(0)
  await database.query(
    `UPDATE leaves SET leaf = (SELECT leaf FROM leaves WHERE leaf_index = 0) WHERE leaf_index = 2`,
    [],
  )
  expect(await store.readLeaves(0)).toEqual([first, second, first])
  await writeOff(database, [first!])
  expect((await store.readLedger()).writtenOff).toBe(1)
  expect([...(await store.listDeposits(0))]).toEqual([0])
  expect([...(await store.listDeposits(1))]).toEqual([])
})

it('an older record becomes valid again after newer records are forgotten', async () => {
  const { store } = life
  const older = { nextLeaf: 1, slot: 1n, ownerChanges: 0 }
  await store.recordExplained(older)
  await store.recordExplained({ nextLeaf: 3, slot: 2n, ownerChanges: 1 })
  expect((await store.readLedger()).ownerChanges).toBe(1)
  await store.forgetExplained(2)
  expect(await store.readExplained()).toEqual(older)
  expect((await store.readLedger()).ownerChanges).toBe(0)
})
