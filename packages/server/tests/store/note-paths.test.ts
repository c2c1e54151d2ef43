import { MerkleTree, rootOfPath } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SqlNotePaths } from '../../src/adapters/store/note-paths.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { wasmPoseidon } from '../../src/adapters/poseidon/wasm-poseidon.ts'
import { HandClock } from '../webhooks/hand-clock.ts'
import { ChainOfSteps } from './chain-of-steps.ts'
import { drawId, NOW_MS, openSql, type Stores } from './open-stores.ts'
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

/** The root computed from an order's path and a leaf, and the root that the path itself names. */
async function roots(paths: SqlNotePaths, orderId: Uint8Array, leaf: bigint) {
  const found = (await paths.read(orderId))!
  const led = rootOfPath(wasmPoseidon, leaf, BigInt(found.leafIndex), [...found.path])
  return [led, found.root]
}

/** Assigns the first two leaves to each other's orders, as a rescan can that finds them that way. */
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

it('leads to the root of all leaves that are known, also of those that came since', async () => {
  const paths = new SqlNotePaths(database, clock)
  const first = await chain.deposited()
  expect(await paths.read(drawId())).toBeUndefined()
  expect(await roots(paths, first, 1n)).toEqual([rootOf([1n]), rootOf([1n])])
  const second = await chain.deposited()
  expect(await roots(paths, second, 2n)).toEqual([rootOf([1n, 2n]), rootOf([1n, 2n])])
  await chain.deposited()
  clock.advance(5_001)
  const all = rootOf([1n, 2n, 3n])
  expect(await roots(paths, first, 1n)).toEqual([all, all])
})

it('is right again after leaves have changed places, and nobody waits for the whole tree', async () => {
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
  const third = [await chain.deposited(), await chain.deposited(), await chain.deposited()][2]!
  expect(await roots(paths, third, 3n)).toContain(rootOf([1n, 2n, 3n]))
  await swapFirstTwo()
  hold = true
  clock.advance(3_600_001)
  expect(await roots(paths, third, 3n)).toContain(rootOf([1n, 2n, 3n]))
  free()
  await expect.poll(() => roots(paths, third, 3n)).toContain(rootOf([2n, 1n, 3n]))
})
