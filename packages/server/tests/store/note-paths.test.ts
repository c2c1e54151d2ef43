import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, rootOfPath } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SqlNotePaths } from '../../src/adapters/store/note-paths.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { HandClock } from '../webhooks/hand-clock.ts'
import { ChainOfSteps } from './chain-of-steps.ts'
import { ACCOUNT, drawId, NOW_MS, openSql, type Stores } from './open-stores.ts'
import { openMigrated } from '../migrated-database.ts'

let database: Database
let stores: Stores
let chain: ChainOfSteps
let clock: HandClock
beforeEach(async () => {
  database = await openMigrated()
  stores = await openSql(database)
  chain = await ChainOfSteps.begin(stores)
  clock = new HandClock(NOW_MS)
})
afterEach(() => stores.close())

const rootOf = (leaves: readonly bigint[]): bigint => {
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll([...leaves])
  return tree.root
}

/** Returns the root computed from an order's path and its leaf, and the root that the path names. */
async function roots(paths: SqlNotePaths, orderId: Uint8Array) {
  const found = (await paths.read(orderId))!
  expect(found.path).toHaveLength(39)
  const leaf = await leafOf(orderId)
  const led = rootOfPath(wasmPoseidon, leaf, BigInt(found.leafIndex), [...found.path])
  return [led, found.root]
}

const leafOf = async (orderId: Uint8Array) =>
  (await stores.orders.readOrder(ACCOUNT, orderId))!.order.leaf

/** Swaps the first two leaves, as a rescan may do. The rows of their orders keep the old leaf indexes. */
async function swapFirstTwo(): Promise<void> {
  for (const [from, to] of [
    [0, 1_000],
    [1, 0],
    [1_000, 1],
  ]) {
    const values = [from, to]
    await database.query('UPDATE leaves SET leaf_index = $2 WHERE leaf_index = $1', values)
  }
}

it('a note’s path leads to the root of all known leaves', async () => {
  const paths = new SqlNotePaths(database, clock)
  const first = await chain.deposited()
  const one = await leafOf(first)
  expect(await paths.read(drawId())).toBeUndefined()
  expect(await roots(paths, first)).toEqual([rootOf([one]), rootOf([one])])
  const second = await chain.deposited()
  const two = await leafOf(second)
  expect(await roots(paths, second)).toEqual([rootOf([one, two]), rootOf([one, two])])
  // The leaf 7 is the change leaf of a settlement.
  await chain.record(chain.batch([7n]))
  clock.advance(5_001)
  const all = rootOf([one, two, 7n])
  expect(await roots(paths, first)).toEqual([all, all])
})

it('a note’s path leads to the newest root after the clock was set back', async () => {
  const paths = new SqlNotePaths(database, clock)
  const first = await chain.deposited()
  const one = await leafOf(first)
  expect(await roots(paths, first)).toContain(rootOf([one]))
  await chain.record(chain.batch([7n]))
  clock.advance(-3_600_000)
  expect(await roots(paths, first)).toContain(rootOf([one, 7n]))
})

it('a note’s path is correct again after leaves have changed places', async () => {
  let hold = false
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  const slow: Database = {
    ...database,
    query: async <Row>(text: string, parameters: readonly unknown[], name?: string) => {
      if (hold && text.includes('leaves ORDER BY')) await held
      return database.query<Row>(text, parameters, name)
    },
  }
  const paths = new SqlNotePaths(slow, clock)
  const ids = [await chain.deposited(), await chain.deposited(), await chain.deposited()] as const
  const [one, two, three] = [await leafOf(ids[0]), await leafOf(ids[1]), await leafOf(ids[2])]
  expect(await roots(paths, ids[2])).toContain(rootOf([one, two, three]))
  await swapFirstTwo()
  hold = true
  clock.advance(3_600_001)
  expect(await roots(paths, ids[2])).toContain(rootOf([one, two, three]))
  free()
  await expect.poll(() => roots(paths, ids[2])).toContain(rootOf([two, one, three]))
})

it('a note’s path is correct even if the kept tree has wrong leaves', async () => {
  const orders = [await chain.deposited(), await chain.deposited(), await chain.deposited()]
  const leaves = await Promise.all(orders.map(leafOf))
  const kept = async () => {
    const tree = new MerkleTree(wasmPoseidon)
    tree.appendAll(leaves.slice(0, 2))
    return tree
  }
  const paths = new SqlNotePaths(database, clock, kept)
  expect(await roots(paths, orders[0]!)).toEqual([rootOf(leaves), rootOf(leaves)])
  const foreign = async () => {
    const tree = new MerkleTree(wasmPoseidon)
    tree.appendAll([4n, 5n])
    return tree
  }
  const unaffected = new SqlNotePaths(database, clock, foreign)
  expect(await roots(unaffected, orders[2]!)).toEqual([rootOf(leaves), rootOf(leaves)])
})
