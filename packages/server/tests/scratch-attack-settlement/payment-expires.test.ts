import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainFollow, TreeSnapshot } from '../../src/ports/settlement-chain.ts'
import type { FollowedBatch, FollowStore } from '../../src/ports/settlement-store.ts'
import { followChain } from '../../src/settlement/follow/follow-chain.ts'
import type { FollowDependencies } from '../../src/settlement/follow/follow-dependencies.ts'
import { storedLeavesComparer } from '../../src/settlement/follow/compare-stored-leaves.ts'
import { TreeWitness } from '../../src/settlement/follow/tree-witness.ts'
import { VerifiedTree } from '../../src/settlement/follow/verified-tree.ts'
import { hasExpired } from '../../src/settlement/pay/end-payment.ts'
import { FirstReadings } from '../../src/settlement/notes/first-readings.ts'

const END = 900n
const NOW = unixSeconds(1_000n)
const CHANGE = 13n
const TRUE = [11n, 12n, CHANGE]
const FALSE = [11n, 12n, 99n]

function nodeOf(leaves: readonly bigint[]): ChainFollow & { root: bigint } {
  const tree = new MerkleTree(wasmPoseidon)
  const entries = leaves.map((leaf) => ({ leaf, root: tree.append(leaf) }))
  const nextLeaf = BigInt(leaves.length)
  const snapshot: TreeSnapshot = {
    ...{ slot: 5n, nextLeaf, lastCheckpointHour: 0n, checkpoint: () => 0n },
    entry: (index) => entries[index],
  }
  return {
    root: tree.root,
    readHead: async () => ({ slot: 5n, blockHeight: 5n, unixSeconds: NOW, nextLeaf }),
    readEntries: async (_head: unknown, from: number) => entries.slice(from),
    readTree: async () => snapshot,
  } as unknown as ChainFollow & { root: bigint }
}

function scene() {
  const [truth, lie] = [nodeOf(TRUE), nodeOf(FALSE)]
  const stored: bigint[] = []
  const store = {
    readLeaves: async (from: number) => stored.slice(from),
    readCursor: async () => ({ slot: 5n, nextLeaf: BigInt(stored.length), unixSeconds: NOW }),
    readAwaiting: async () => [],
    listArrived: async () => [],
    findLeaves: async (leaves: readonly bigint[]) =>
      new Map(
        leaves.flatMap((leaf) =>
          stored.includes(leaf) ? [[leaf, stored.lastIndexOf(leaf)] as const] : [],
        ),
      ),
    tryRecord: async ({ keep, leaves }: FollowedBatch) => {
      stored.splice(keep, Infinity, ...leaves)
      return true
    },
  } as unknown as FollowStore
  // Three nodes: the first lies, the other two are honest.
  const heads = async () =>
    [lie, truth, truth].map(({ root }) => ({
      ...{ slot: 5n, blockHeight: 5n, unixSeconds: NOW, nextLeaf: 3n, root },
    }))
  const log = { alert: () => undefined, failed: () => undefined, event: () => undefined }
  let nowMs = 1_000_000_000
  const clock = { nowMs: () => (nowMs += 10_000) }
  const workerOf = () => {
    const tree = new VerifiedTree(wasmPoseidon)
    const witness = new TreeWitness(heads, { clock: clock as never, poseidon: wasmPoseidon, tree })
    const compare = storedLeavesComparer(store, tree, witness)
    const firstReadings = new FirstReadings()
    return {
      step: async (chain: ChainFollow) => {
        await compare()
        const d = { chain, store, log, clock, witness, poseidon: wasmPoseidon }
        await followChain(d as unknown as FollowDependencies, tree)
      },
      hasExpired: (over: object = {}) =>
        hasExpired(
          { ...{ tree, witness, store, log, clock, firstReadings }, ...over } as never,
          {
            ...{ leafIndex: 1, changeLeaf: CHANGE, payment: { validUntil: END } },
            order: { orderId: new Uint8Array(16) },
            note: { expiry: 5_000n },
            secrets: { pseudonym: () => new Uint8Array(32) },
          } as never,
          undefined,
        ),
    }
  }
  return { stored, store, truth, lie, workerOf }
}

it('a landed payment does not expire while another worker’s node has replaced its leaf in the store', async () => {
  const { truth, lie, stored, workerOf } = scene()
  const [one, other] = [workerOf(), workerOf()]
  for (const worker of [one, other]) await worker.step(truth)
  expect(await other.hasExpired()).toBe(false)
  // One lying node, asked by the other process.
  await one.step(lie)
  expect(stored).toEqual(FALSE)
  // The worker that was lied to protects itself.
  expect(await one.hasExpired()).toBe(false)
  // This worker still has the true leaves, which two nodes confirm; even one more step doesn't help.
  await other.step(truth)
  expect(await other.hasExpired()).toBe(false)
})

it('a landed payment does not expire if one process’s own rescan happens during the check', async () => {
  const { truth, lie, store, workerOf } = scene()
  const one = workerOf()
  await one.step(truth)
  let isFirst = true
  const racing = {
    ...store,
    // The follow loop records the lie between `witness.confirmed` and the read of the leaves.
    findLeaves: async (leaves: readonly bigint[]) => {
      if (isFirst) await one.step(lie)
      isFirst = false
      return (
        store as never as { findLeaves: (l: readonly bigint[]) => Promise<Map<bigint, number>> }
      ).findLeaves(leaves)
    },
  }
  expect(await one.hasExpired({ store: racing })).toBe(false)
})
