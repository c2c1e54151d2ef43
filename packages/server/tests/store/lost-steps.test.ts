import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, RECENT, unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ChainFollow, TreeSnapshot } from '../../src/ports/settlement-chain.ts'
import type { FollowStore } from '../../src/ports/settlement-store.ts'
import { storedLeavesComparer } from '../../src/settlement/follow/compare-stored-leaves.ts'
import { followChain } from '../../src/settlement/follow/follow-chain.ts'
import type { FollowDependencies } from '../../src/settlement/follow/follow-dependencies.ts'
import { VerifiedTree } from '../../src/settlement/follow/verified-tree.ts'
import { ChainOfSteps, drawLeaf, newOrder } from './chain-of-steps.ts'
import { ACCOUNT, NOW_MS, openStores, type Stores } from './open-stores.ts'

/**
 * A node that shows the newest leaves in the array, with matching roots, and no history. Leaves may be added to the
 * array later.
 */
function nodeOf(
  leaves: readonly bigint[],
  slotNow = () => BigInt(100 + leaves.length),
): ChainFollow {
  const entriesNow = () => {
    const tree = new MerkleTree(wasmPoseidon)
    const entries = leaves.map((leaf) => ({ leaf, root: tree.append(leaf) }))
    return entries.map((entry, index) => (index < leaves.length - RECENT ? undefined : entry))
  }
  const headNow = () => {
    const slot = slotNow()
    const nextLeaf = BigInt(leaves.length)
    return { slot, blockHeight: slot, unixSeconds: unixSeconds(1_000n), nextLeaf }
  }
  return {
    readHead: async () => headNow(),
    readEntries: async (_head: unknown, from: number) => entriesNow().slice(from),
    readTree: async (): Promise<TreeSnapshot> => {
      const entries = entriesNow()
      const facts = { lastCheckpointHour: 0n, checkpoint: () => 0n }
      return { ...headNow(), ...facts, entry: (index) => entries[index] }
    },
  } as unknown as ChainFollow
}

let stores: Stores
/** The leaves of the chain. */
let landed: bigint[]
let failures: string[]
beforeAll(async () => {
  stores = await openStores('PGlite')
})
beforeEach(async () => {
  for (const table of ['chain_cursor', 'leaves', 'orders']) {
    await stores.database!.query(`DELETE FROM ${table}`, [])
  }
  await ChainOfSteps.begin(stores)
  landed = Array.from({ length: 6 }, drawLeaf)
  failures = []
})
afterAll(() => stores.close())

/** Starts a worker. Returns a function that lets the worker take some steps along the chain. */
function startWorker(store: FollowStore = stores.settlement, chain = nodeOf(landed)) {
  const clock = { nowMs: () => NOW_MS }
  const log = { alert: () => undefined, failed: () => undefined, event: () => undefined }
  const pool = { domain: new Uint8Array(32) }
  const { secrets } = stores
  const d = { chain, poseidon: wasmPoseidon, published: [] }
  const dependencies = { ...d, store, secrets, pool, clock, log } as unknown as FollowDependencies
  const tree = new VerifiedTree(wasmPoseidon)
  const compare = storedLeavesComparer(store, tree)
  return async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      await compare()
      await followChain(dependencies, tree).catch((error: unknown) => failures.push(`${error}`))
    }
  }
}

/** Deletes the leaves from an index on, and sets the cursor back, as if the last transactions were lost. */
async function loseFrom(index: number): Promise<void> {
  await stores.database!.query('DELETE FROM leaves WHERE leaf_index >= $1', [index])
  const cursor = 'UPDATE chain_cursor SET next_leaf = $1::bigint, slot = $1::bigint + 100'
  await stores.database!.query(cursor, [index])
}

it.each([1, 2, 3, 4])(
  'a worker records the leaves again that a failover lost after its step %i',
  async (steps) => {
    const step = startWorker()
    await step(steps)
    await loseFrom(4)
    const order = newOrder({ leaf: landed[5]! })
    await stores.orders.tryCreate(order, undefined)
    landed.push(drawLeaf())
    await step(4)
    expect(failures).toEqual([])
    expect(await stores.settlement.readLeaves(0)).toEqual(landed)
    const found = await stores.orders.readOrder(ACCOUNT, order.id)
    expect(found?.order.status).toBe('deposited')
  },
)

it.each([2, 3, 4, 5])(
  'a worker records leaves again that a failover lost after its step %i and the ring has dropped',
  async (steps) => {
    landed = Array.from({ length: 900 }, drawLeaf)
    const step = startWorker()
    await step(1)
    landed.push(...Array.from({ length: 200 }, drawLeaf))
    await step(steps - 1)
    await loseFrom(4)
    await step(2)
    expect(failures).toEqual([])
    expect(await stores.settlement.readLeaves(0)).toEqual(landed)
  },
)

it('a worker restores the stored leaves if a node shows an empty tree to another worker', async () => {
  landed = Array.from({ length: 900 }, drawLeaf)
  const step = startWorker()
  await step(1)
  landed.push(...Array.from({ length: 200 }, drawLeaf))
  await step(1)
  const lie = nodeOf([], () => BigInt(100 + landed.length))
  await startWorker(stores.settlement, lie)(1)
  expect(await stores.settlement.readLeaves(0)).toEqual([])
  await step(2)
  expect(failures).toEqual([])
  expect(await stores.settlement.readLeaves(0)).toEqual(landed)
})

it('a worker fills a gap in the stored leaves', async () => {
  await startWorker()(1)
  await stores.database!.query('DELETE FROM leaves WHERE leaf_index IN (2, 3)', [])
  landed.push(drawLeaf())
  await startWorker()(2)
  expect(failures).toEqual([])
  expect(await stores.settlement.readLeaves(0)).toEqual(landed)
})

it('a worker records no leaf twice if another worker records it at the same time', async () => {
  const other = startWorker()
  const { settlement } = stores
  let isFirst = true
  const step = startWorker({
    ...settlement,
    readLeaves: async (...range) => {
      const leaves = await settlement.readLeaves(...range)
      if (isFirst) await other(1)
      isFirst = false
      return leaves
    },
  })
  await step(2)
  expect(failures).toEqual([])
  expect(await settlement.readLeaves(0)).toEqual(landed)
})
