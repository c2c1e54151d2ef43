import { MerkleTree, RECENT, type RecentLeaf, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { unknownLeaves } from '../notes/unknown-leaves.ts'
import type { FinalizedHead, TreeSnapshot } from '../../ports/settlement-chain.ts'
import type { ArrivedOrder, FollowedBatch } from '../../ports/settlement-store.ts'
import { followChain } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

/** The leaves of the chain's tree. */
const CHAIN = [11n, 12n, 13n, 14n]
const SLOT = 50n

interface Scene {
  readonly stored: readonly bigint[]
  readonly cursorSlot: bigint
  /** The leaves that have landed. By default they are `CHAIN`. */
  readonly onChain?: readonly bigint[]
  readonly head?: Partial<FinalizedHead>
  /** The heads that the node shows after its first answer, one for each further request. */
  readonly laterHeads?: readonly Partial<FinalizedHead>[]
  /** Number of rounds in which the node shows a wrong leaf in its ring. */
  readonly lyingRounds?: number
  /** Invented leaves that the node shows in its first round, with matching roots. */
  readonly invented?: readonly bigint[]
  /** Number of rounds in which the node doesn't send the entries of its ring. */
  readonly silentRounds?: number
  /** See `SettlementSettings`. The wall clock reads 0. */
  readonly clockMarginSeconds?: bigint
  readonly startMs?: number
  /** Leaves of orders that await their deposits. */
  readonly awaited?: readonly bigint[]
  /** Orders whose last authorisation has ended. Their leaves were stored before the orders. */
  readonly arrived?: readonly ArrivedOrder[]
  /** True if a source publishes the chain's leaves. */
  readonly isPublished?: boolean
  /** False if the database refuses the step. */
  readonly isTaken?: boolean
}

const orderOf = (leaf: bigint) => ({
  orderId: new Uint8Array(16).fill(Number(leaf)),
  ...{ epoch: 0, leaf, sealedTerms: new Uint8Array(0) },
  ...{ deadline: unixSeconds(0n), expiry: unixSeconds(600n) },
})

/** The ring's entries. For a long list, only the newest root is computed, because no other root is compared. */
function entriesOf(leaves: readonly bigint[]): RecentLeaf[] {
  const tree = new MerkleTree(wasmPoseidon)
  if (leaves.length < RECENT) return leaves.map((leaf) => ({ leaf, root: tree.append(leaf) }))
  tree.appendAll(leaves)
  return leaves.map((leaf, place) => ({ leaf, root: place + 1 === leaves.length ? tree.root : 0n }))
}

/** Follows the chain with the node and store of a scene, and with the same tree in all rounds. */
async function follow(scene: Scene) {
  const onChain = scene.onChain ?? CHAIN
  const landed = entriesOf(onChain)
  const invented = scene.invented && entriesOf(scene.invented)
  const { lyingRounds = 0, silentRounds = 0 } = scene
  const rounds = lyingRounds + silentRounds + (invented === undefined ? 1 : 2)
  let [round, heads] = [0, 0]
  const batches: FollowedBatch[] = []
  const errors: string[] = []
  const alerts: string[] = []
  const requests: string[] = []
  const states: { size: number; isVerified: boolean; isRefuted: boolean }[] = []
  const provable: number[] = []
  const nextLeaf = BigInt(onChain.length)
  const firstHead = { slot: SLOT, blockHeight: 50n, unixSeconds: 1_000n, nextLeaf, ...scene.head }
  const shown = (from: number) => {
    requests.push('entries')
    provable.push(tree.isVerified ? tree.size : 0)
    if (round < silentRounds) throw new Error('the node gives no answer')
    const isLying = round < silentRounds + lyingRounds
    const entries = round === 0 && invented !== undefined ? invented : landed
    return entries
      .slice(from)
      .map((entry, place, all) =>
        isLying && place === all.length - 1 ? { ...entry, leaf: 99n } : entry,
      )
  }
  const publishing = {
    read: async (from: number, to: number) => onChain.slice(from, to),
    forget: () => undefined,
  }
  const d = {
    poseidon: wasmPoseidon,
    pool: { domain: new Uint8Array(32) },
    published: scene.isPublished === true ? [publishing] : [],
    clock: { nowMs: () => (scene.startMs ?? 0) + round * 60_000 },
    clockMarginSeconds: scene.clockMarginSeconds,
    log: {
      alert: (code: string) => void alerts.push(code),
      failed: () => undefined,
      event: () => undefined,
    },
    chain: {
      readHead: async () => {
        requests.push('head')
        heads += 1
        return heads === 1 ? firstHead : { ...firstHead, ...scene.laterHeads?.[heads - 2] }
      },
      readEntries: async (_head: FinalizedHead, from: number) => shown(from),
      readTree: async (): Promise<TreeSnapshot> => {
        const ring = shown(0)
        const facts = { slot: SLOT, lastCheckpointHour: 0n, checkpoint: () => 0n }
        const isHeld = (index: number) => index >= onChain.length - RECENT
        return { ...facts, nextLeaf, entry: (index) => (isHeld(index) ? ring[index] : undefined) }
      },
    },
    secrets: { read: async () => undefined },
    store: {
      readLeaves: async (from: number) => scene.stored.slice(from),
      readCursor: async () => ({
        nextLeaf: batches.at(-1)?.head.nextLeaf ?? BigInt(scene.stored.length),
        ...{ slot: scene.cursorSlot, unixSeconds: 1_000n },
      }),
      readAwaiting: async (leaves: readonly bigint[]) =>
        (scene.awaited ?? []).filter((leaf) => leaves.includes(leaf)).map(orderOf),
      listArrived: async () => scene.arrived ?? [],
      tryRecord: async (batch: FollowedBatch) => {
        batches.push(batch)
        return scene.isTaken ?? true
      },
    },
  } as unknown as FollowDependencies
  const tree = new VerifiedTree(wasmPoseidon)
  for (; round < rounds; round += 1) {
    await followChain(d, tree).catch((error: unknown) => void errors.push(String(error)))
    const { size, isVerified, isRefuted } = tree
    states.push({ size, isVerified, isRefuted })
  }
  return { alerts, batches, errors, provable, requests, states, tree }
}

it('I8: lets orders expire by a head’s clock only if every leaf of the head is recorded', async () => {
  const { batches } = await follow({ stored: CHAIN.slice(0, 2), cursorSlot: 20n })
  expect(batches).toHaveLength(1)
  const [{ head, keep, leaves, isRescan }] = batches as [FollowedBatch]
  expect(head).toMatchObject({ unixSeconds: 1_000n, nextLeaf: 4n })
  expect([keep, leaves, isRescan]).toEqual([2, CHAIN.slice(2), false])
})

it('I8: records only the leaves that the ring shows, even if the head has more', async () => {
  const { batches, errors } = await follow({
    ...{ stored: CHAIN.slice(0, 2), cursorSlot: 20n },
    head: { unixSeconds: unixSeconds(1_000_000n), nextLeaf: 5n },
  })
  // The node shows a head with five leaves, but a ring with only four.
  expect(errors).toEqual([])
  expect(batches.map(({ head }) => head.nextLeaf)).toEqual([4n])
})

it('I8: expires no order by the clock of a node that shows an earlier slot', async () => {
  const head = { slot: 49n, unixSeconds: unixSeconds(1_000_000n) }
  const { batches, errors } = await follow({ stored: CHAIN, cursorSlot: 50n, head })
  expect([batches, errors]).toEqual([[], []])
})

it('reads a missing leaf again from a node without old history', async () => {
  // The database lacks one leaf, so the later leaves are stored at wrong indexes.
  const { batches } = await follow({ stored: [11n, 12n, 14n], cursorSlot: 45n })
  expect(batches).toMatchObject([{ isRescan: true, keep: 2, leaves: CHAIN.slice(2) }])
})

it('I8: replaces an invented leaf in the next round if another node shows the deposit', async () => {
  const { batches, tree } = await follow({
    ...{ stored: [], cursorSlot: 20n },
    invented: [11n, 12n, 13n, 99n],
  })
  expect(batches.map(({ isRescan, keep, leaves }) => [isRescan, keep, leaves])).toEqual([
    [false, 0, [11n, 12n, 13n, 99n]],
    [true, 3, [14n]],
  ])
  expect(tree.leaf(3)).toBe(14n)
})

it('takes two requests for a step', async () => {
  const scene = { stored: CHAIN.slice(0, 2), cursorSlot: 20n, silentRounds: 0 }
  expect((await follow(scene)).requests).toEqual(['head', 'entries'])
})

it('I9: keeps all confirmed leaves if the ring has a wrong leaf', async () => {
  const seen = await follow({ stored: CHAIN.slice(0, 2), cursorSlot: 20n, lyingRounds: 2 })
  expect(seen.errors).toHaveLength(2)
  expect(seen.states.at(-1)).toEqual({ size: 4, isVerified: true, isRefuted: false })
  expect(seen.batches.map(({ leaves }) => leaves)).toEqual([CHAIN.slice(2)])
})

it('appends new leaves only after the node has answered', async () => {
  const scene = { stored: [], cursorSlot: 20n, silentRounds: 1 }
  const { provable, states } = await follow(scene)
  expect(states.map(({ size }) => size)).toEqual([0, 4])
  expect(provable).toEqual([0, 0])
})

it('I9: counts a root as different if it can’t be reproduced for minutes', async () => {
  const { states } = await follow({
    ...{ stored: CHAIN.slice(0, 2), cursorSlot: 20n, lyingRounds: 4 },
  })
  expect(states.map(({ isRefuted }) => isRefuted)).toEqual([false, false, true, true, false])
})

it('does not record a far-ahead slot that only one answer shows', async () => {
  const { batches } = await follow({
    ...{ stored: CHAIN.slice(0, 2), cursorSlot: 20n, head: { slot: 9_000_000_000n } },
    laterHeads: [{ slot: SLOT }],
  })
  expect(batches.map(({ head }) => head.slot)).toEqual([SLOT])
})

it('I8: lets no order expire by a far-ahead clock that only one answer shows', async () => {
  const lie = { stored: CHAIN, cursorSlot: 20n, head: { unixSeconds: unixSeconds(90_000n) } }
  const { batches } = await follow({ ...lie, laterHeads: [{ unixSeconds: unixSeconds(1_001n) }] })
  expect(batches.map(({ expiresBefore }) => expiresBefore)).toEqual([1_001n])
})

it('I8: lets no order expire early by a false clock that a node always shows', async () => {
  const lie = { stored: CHAIN, cursorSlot: 20n, head: { unixSeconds: unixSeconds(90_000n) } }
  const { batches } = await follow({ ...lie, startMs: 600_000, clockMarginSeconds: 120n })
  expect(batches).toMatchObject([{ expiresBefore: 480n, head: { unixSeconds: 600n } }])
})

it('records a far-ahead slot that two answers show', async () => {
  const { batches } = await follow({
    ...{ stored: CHAIN, cursorSlot: 20n, head: { slot: 700_000n } },
    laterHeads: [{ slot: 700_003n }],
  })
  expect(batches.map(({ head }) => head.slot)).toEqual([700_000n])
})

it('moves the cursor back to the chain’s slot after a false answer moved it far ahead', async () => {
  const lied = { stored: CHAIN, cursorSlot: 9_000_000_000n }
  expect((await follow(lied)).batches.map(({ head }) => head.slot)).toEqual([SLOT])
  // A node that has fewer leaves than our tree may simply lag, so its answer doesn't move the cursor back.
  const fewer = await follow({ ...lied, head: { nextLeaf: 3n } })
  expect([fewer.batches, fewer.states.at(-1)?.size]).toEqual([[], 0])
})

it('finds no difference if the first deposit lands between two answers of the node', async () => {
  const head = { slot: 5n, nextLeaf: 0n }
  const { batches, errors } = await follow({ stored: [], cursorSlot: 0n, head })
  expect(errors).toEqual([])
  expect(batches).toMatchObject([{ isRescan: false, leaves: [] }])
})

it('drops leaves that another worker recorded first', async () => {
  const { tree } = await follow({ stored: CHAIN.slice(0, 2), cursorSlot: 20n, isTaken: false })
  expect([tree.size, tree.isVerified]).toEqual([2, true])
})

it('records a deposit if the tree has the order’s leaf', async () => {
  const { batches } = await follow({ stored: [11n], cursorSlot: 20n, awaited: [13n, 77n] })
  expect(batches[0]!.deposits).toMatchObject([{ orderId: orderOf(13n).orderId, leafIndex: 2 }])
})

it('records the deposit of an order that was stored later than its leaf', async () => {
  const arrived = [{ ...orderOf(12n), leafIndex: 1 }]
  const { batches } = await follow({ stored: CHAIN, cursorSlot: 45n, arrived })
  expect(batches[0]!.deposits).toMatchObject([{ orderId: orderOf(12n).orderId, leafIndex: 1 }])
})

it('counts the leaf of a second deposit with the same id as unknown', async () => {
  const onChain = [...CHAIN, 88n]
  const scene = { onChain, stored: [], cursorSlot: 0n, awaited: CHAIN.slice(0, 2) }
  const { batches } = await follow(scene)
  expect(batches[0]!.leaves).toEqual(onChain)
  expect(batches[0]!.deposits.map(({ leafIndex }) => leafIndex)).toEqual([0, 1])
  // There are two orders. Their deposits and their settlements explain four of the five leaves.
  const ledger = {
    leaves: onChain.length,
    deposited: 2,
    payments: 0,
    unsettled: 0,
    ownerChanges: 0,
  }
  expect(unknownLeaves(ledger, { count: 0, settled: 0, appendedPayments: 0 })).toBe(1)
})

it('gives an order the first of two deposits with the order’s leaf', async () => {
  const { batches } = await follow({
    ...{ onChain: [11n, 12n, 13n, 12n], stored: [], cursorSlot: 0n, awaited: [12n] },
  })
  expect(batches[0]!.deposits.map(({ leafIndex }) => leafIndex)).toEqual([1])
})

it('reads published leaves if the worker lags by more than the ring', async () => {
  const onChain = Array.from({ length: RECENT + 40 }, (_, index) => BigInt(index + 1))
  const behind = { onChain, stored: [1n, 2n], cursorSlot: 20n, awaited: [5n] }
  const { batches, states } = await follow({ ...behind, isPublished: true })
  expect(batches).toMatchObject([{ isRescan: true, keep: 2, deposits: [{ leafIndex: 4 }] }])
  expect(batches[0]!.leaves).toHaveLength(onChain.length - 2)
  expect(states.at(-1)).toEqual({ size: onChain.length, isVerified: true, isRefuted: false })
  // Without a source, the worker only waits. No source contradicts its leaves, so it raises no alert.
  const waiting = await follow(behind)
  expect([waiting.batches, waiting.alerts]).toEqual([[], []])
  expect(waiting.states.at(-1)).toEqual({ size: 2, isVerified: false, isRefuted: false })
})
