import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import type { ChainFollow, TreeSnapshot } from '../../ports/settlement-chain.ts'
import type { FollowedBatch, FollowStore } from '../../ports/settlement-store.ts'
import { followChain } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { storedLeavesComparer } from './compare-stored-leaves.ts'
import { TreeWitness } from './tree-witness.ts'
import { VerifiedTree } from './verified-tree.ts'

const storeOf = (stored: () => readonly bigint[]) =>
  ({
    readLeaves: async (from: number, countMax = Infinity) => stored().slice(from, from + countMax),
    readCursor: async () => ({ nextLeaf: BigInt(stored().length) }),
  }) as unknown as FollowStore

/** Returns the size of a tree with these `leaves` after some rounds. The database has the `stored` leaves. */
async function sizeAfter(leaves: readonly bigint[], stored: readonly bigint[]): Promise<number> {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(leaves)
  const compare = storedLeavesComparer(
    storeOf(() => stored),
    tree,
  )
  for (let round = 0; round < 4; round += 1) await compare()
  return tree.size
}

it('drops a leaf that another worker replaced, and all leaves after it', async () => {
  expect(await sizeAfter([11n, 12n, 13n], [11n, 99n, 13n])).toBe(1)
  expect(await sizeAfter([11n, 12n, 13n], [99n])).toBe(0)
})

it('finds a wrong stored leaf that is older than the newest leaves', async () => {
  const leaves = Array.from({ length: 6_000 }, (_, index) => BigInt(index + 1))
  for (const wrong of [5, 4_500]) {
    const stored = leaves.map((leaf, index) => (index === wrong ? 99_999n : leaf))
    const reads: number[] = []
    const store = storeOf(() => stored)
    const readLeaves = async (from: number, countMax = Infinity) => {
      reads.push(countMax)
      return store.readLeaves(from, countMax)
    }
    const tree = new VerifiedTree(wasmPoseidon)
    tree.appendAll(leaves)
    const compare = storedLeavesComparer({ ...store, readLeaves }, tree)
    for (let round = 0; round < 8; round += 1) await compare()
    expect(tree.size).toBe(wrong)
    // Each comparison reads a limited number of leaves.
    expect(Math.max(...reads)).toBeLessThanOrEqual(4_096)
  }
})

it('keeps the leaves that are stored', async () => {
  expect(await sizeAfter([11n, 12n], [11n, 12n])).toBe(2)
  expect(await sizeAfter([11n, 12n], [11n, 12n, 13n])).toBe(2)
})

it('keeps leaves that the database has lost at its end', async () => {
  expect(await sizeAfter([11n, 12n, 13n], [11n, 12n])).toBe(3)
  expect(await sizeAfter([11n, 12n, 13n], [])).toBe(3)
})

it('I8: drops the time that nodes confirmed for leaves that another worker replaced', async () => {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll([11n, 12n])
  const head = { slot: 5n, blockHeight: 5n, unixSeconds: unixSeconds(900n), nextLeaf: 2n }
  const heads = async () => [head, head].map((one) => ({ ...one, root: tree.root }))
  const clock = { nowMs: () => 0 } as Clock
  const witness = new TreeWitness(heads, { clock, poseidon: wasmPoseidon, tree })
  witness.publish(await witness.compare())
  let stored = [11n, 12n]
  const compare = storedLeavesComparer(
    storeOf(() => stored),
    tree,
    witness,
  )
  const confirmed = async () => {
    for (let round = 0; round < 4; round += 1) await compare()
    return witness.confirmed(unixSeconds(1_000n))
  }
  expect(await confirmed()).toBe(900n)
  stored = [11n, 99n]
  expect(await confirmed()).toBe(0n)
})

/** A node that shows these leaves, with matching roots. */
function nodeOf(leaves: readonly bigint[]): ChainFollow {
  const tree = new MerkleTree(wasmPoseidon)
  const entries = leaves.map((leaf) => ({ leaf, root: tree.append(leaf) }))
  const nextLeaf = BigInt(leaves.length)
  const snapshot: TreeSnapshot = {
    ...{ slot: 5n, nextLeaf, lastCheckpointHour: 0n, checkpoint: () => 0n },
    entry: (index) => entries[index],
  }
  return {
    readHead: async () => ({ slot: 5n, blockHeight: 5n, unixSeconds: 9n, nextLeaf }),
    readEntries: async (_head: unknown, from: number) => entries.slice(from),
    readTree: async () => snapshot,
  } as unknown as ChainFollow
}

it('corrects the stored leaves if the node of another worker had invented them', async () => {
  const [truth, lie] = [nodeOf([11n, 12n, 13n]), nodeOf([11n, 99n, 98n])]
  const stored: bigint[] = []
  const store = {
    readLeaves: async (from: number) => stored.slice(from),
    readCursor: async () => ({ slot: 5n, nextLeaf: BigInt(stored.length), unixSeconds: 9n }),
    readAwaiting: async () => [],
    listArrived: async () => [],
    tryRecord: async ({ keep, leaves }: FollowedBatch) => {
      stored.splice(keep, Infinity, ...leaves)
      return true
    },
  } as unknown as FollowStore
  const workerOf = () => {
    const tree = new VerifiedTree(wasmPoseidon)
    const compare = storedLeavesComparer(store, tree)
    return async (chain: ChainFollow) => {
      await compare()
      const log = { alert: () => undefined, failed: () => undefined, event: () => undefined }
      const d = { chain, store, log, poseidon: wasmPoseidon, clock: { nowMs: () => 0 } }
      await followChain(d as unknown as FollowDependencies, tree)
    }
  }
  const [one, other] = [workerOf(), workerOf()]
  for (const step of [one, other]) await step(truth)
  await one(lie)
  expect(stored).toEqual([11n, 99n, 98n])
  for (let round = 0; round < 4; round += 1) await other(truth)
  expect(stored).toEqual([11n, 12n, 13n])
  await one(truth)
  expect(stored).toEqual([11n, 12n, 13n])
})
