import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainFollow, TreeSnapshot } from '../../ports/settlement-chain.ts'
import type { FollowedBatch, FollowStore } from '../../ports/settlement-store.ts'
import { storedLeavesComparer } from '../follow/compare-stored-leaves.ts'
import { followChain } from '../follow/follow-chain.ts'
import type { FollowDependencies } from '../follow/follow-dependencies.ts'
import { TreeWitness } from '../follow/tree-witness.ts'
import { VerifiedTree } from '../follow/verified-tree.ts'
import { FirstReadings } from '../notes/first-readings.ts'
import { hasExpired, type EndDependencies } from './end-payment.ts'

const NOW = unixSeconds(1_000n)
const CHANGE = 13n
const TRUE = [11n, 12n, CHANGE]
const FALSE = [11n, 12n, 99n]
/** The payment spends the note at leaf 1. Its signature has expired. */
const PAYMENT = {
  ...{ leafIndex: 1, changeLeaf: CHANGE, payment: { validUntil: 900n } },
  ...{ order: { orderId: new Uint8Array(16) }, note: { expiry: 5_000n } },
  secrets: { pseudonym: () => new Uint8Array(32) },
} as unknown as Parameters<typeof hasExpired>[1]

/** A node that shows these leaves, with matching roots. */
function nodeOf(leaves: readonly bigint[]): ChainFollow & { readonly root: bigint } {
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
  } as unknown as ChainFollow & { readonly root: bigint }
}

/** Creates workers with one database and three nodes. The first node lies, and the other two are honest. */
function scene(leaves: readonly bigint[] = TRUE) {
  const [truth, lie] = [nodeOf(leaves), nodeOf(FALSE)]
  const stored: bigint[] = []
  const hooks: { arrived?: () => Promise<void>; found?: () => Promise<void> } = {}
  const store = {
    readLeaves: async (from: number) => stored.slice(from),
    readCursor: async () => ({ slot: 5n, nextLeaf: BigInt(stored.length), unixSeconds: NOW }),
    readAwaiting: async () => [],
    listArrived: async () => {
      await hooks.arrived?.()
      return []
    },
    findLeaves: async ([leaf = 0n]: readonly bigint[]) => {
      await hooks.found?.()
      return new Map(stored.includes(leaf) ? [[leaf, stored.indexOf(leaf)]] : [])
    },
    tryRecord: async ({ keep, leaves }: FollowedBatch) => {
      stored.splice(keep, Infinity, ...leaves)
      return true
    },
  } as unknown as FollowStore
  const heads = async () =>
    [lie, truth, truth].map(({ root }) => ({
      ...{ slot: 5n, blockHeight: 5n, unixSeconds: NOW, nextLeaf: 3n, root },
    }))
  const log = { alert: () => undefined, failed: () => undefined, event: () => undefined }
  let nowMs = 1_000_000_000
  const clock = { nowMs: () => (nowMs += 10_000), sleep: async () => undefined }
  const workerOf = () => {
    const tree = new VerifiedTree(wasmPoseidon)
    const witness = new TreeWitness(heads, { clock, poseidon: wasmPoseidon, tree })
    const compare = storedLeavesComparer(store, tree, witness)
    const shared = { store, log, clock, witness }
    const d = { ...shared, tree, firstReadings: new FirstReadings() } as unknown as EndDependencies
    return {
      step: async (chain: ChainFollow) => {
        await compare()
        const follow = { ...shared, chain, poseidon: wasmPoseidon }
        await followChain(follow as unknown as FollowDependencies, tree)
      },
      hasExpired: () => hasExpired(d, PAYMENT, undefined),
    }
  }
  return { stored, hooks, truth, lie, workerOf }
}

it('I8: a landed payment does not expire while a lie to another worker has replaced its leaf in the database', async () => {
  const { truth, lie, stored, workerOf } = scene()
  const [one, other] = [workerOf(), workerOf()]
  for (const worker of [one, other]) await worker.step(truth)
  expect(await other.hasExpired()).toBe(false)
  await one.step(lie)
  expect(stored).toEqual(FALSE)
  for (const worker of [one, other]) expect(await worker.hasExpired()).toBe(false)
  await other.step(truth)
  expect(await other.hasExpired()).toBe(false)
})

it('I8: a landed payment does not expire if a lie replaces its leaf during the check', async () => {
  const { truth, lie, stored, hooks, workerOf } = scene()
  const worker = workerOf()
  await worker.step(truth)
  hooks.found = () => worker.step(lie)
  expect(await worker.hasExpired()).toBe(false)
  expect(stored).toEqual(FALSE)
})

it('I8: a landed payment does not expire while a lie about its leaf is being recorded', async () => {
  const { truth, lie, stored, hooks, workerOf } = scene()
  const worker = workerOf()
  await worker.step(truth)
  let expired: boolean | undefined
  hooks.arrived = async () => {
    // Another worker has recorded the lie already.
    stored.splice(0, Infinity, ...FALSE)
    expired = await worker.hasExpired()
  }
  await worker.step(lie)
  expect(expired).toBe(false)
})

it('a payment that did not land expires once two nodes confirm the tree without its leaf', async () => {
  const { truth, lie, workerOf } = scene([11n, 12n, 14n])
  const [lied, worker] = [workerOf(), workerOf()]
  await lied.step(lie)
  expect(await lied.hasExpired()).toBe(false)
  await worker.step(truth)
  expect(await worker.hasExpired()).toBe(true)
})
