import { fieldToBytes } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlLeafPages } from '../../src/adapters/store/leaf-pages.ts'
import type { LeafPages } from '../../src/ports/leaf-pages.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'
import { ChainOfSteps, drawLeaf } from './chain-of-steps.ts'
import { openSql, type Stores } from './open-stores.ts'

const LEAVES = Array.from({ length: 7 }, drawLeaf)
const ALL = LEAVES.map(fieldToBytes)

let stores: Stores
let pages: LeafPages
beforeAll(async () => {
  stores = await openSql(await openMigratedPglite())
  pages = sqlLeafPages(stores.database!)
  const chain = await ChainOfSteps.begin(stores)
  await chain.record(chain.batch(LEAVES))
})
afterAll(() => stores.close())

it('a page starts at the requested index and has its leaves in the sequence of the tree', async () => {
  expect(await pages.read(0, 3)).toEqual(ALL.slice(0, 3))
  expect(await pages.read(3, 3)).toEqual(ALL.slice(3, 6))
  expect(await pages.read(5, 3)).toEqual(ALL.slice(5))
  expect(await pages.read(7, 3)).toEqual([])
})

it('a page ends before a missing leaf', async () => {
  await stores.database!.query('DELETE FROM leaves WHERE leaf_index IN (0, 4)', [])
  expect(await pages.read(0, 9)).toEqual([])
  expect(await pages.read(1, 9)).toEqual(ALL.slice(1, 4))
})
