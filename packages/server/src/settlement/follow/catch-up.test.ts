import { SLOTS_AHEAD_MAX } from '../../domain/followed-slot.ts'
import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, RECENT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { PublishedLeaves } from '../../ports/published-leaves.ts'
import type { TreeTransaction } from '../../ports/settlement-chain.ts'
import { catchUp } from './catch-up.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

/** Number of leaves on the chain, and number of leaves that the worker had read before its absence. */
const COUNT = 6_000
const OWN = 1_000
const chain = Array.from({ length: COUNT }, (_, index) => BigInt(index + 1))
const ringFrom = COUNT - RECENT
const ROOT = (() => {
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll(chain)
  return tree.root
})()
const target = {
  ...{ ringFrom, ring: chain.slice(ringFrom), slot: SLOTS_AHEAD_MAX + 50n },
  roots: {
    nextLeaf: BigInt(COUNT),
    rootAfter: (index: number) => (index === COUNT - 1 ? ROOT : undefined),
  },
}

/** A history in which each transaction appended one of these leaves. */
const historyOf = (leaves: readonly bigint[]): TreeTransaction[] =>
  leaves.map((leaf) => ({
    ...{ signature: `s${leaf}`, slot: 60n, unixSeconds: unixSeconds(1n) },
    appended: [{ kind: 'change', leaf }],
  }))

interface Scene {
  readonly own?: readonly bigint[]
  readonly published?: readonly Partial<PublishedLeaves>[]
  readonly history?: readonly bigint[]
  /** The history that the node shows if it is read from the first leaf. By default, it is the chain's history. */
  readonly wholeHistory?: readonly bigint[]
}

async function caughtUp({ own = chain.slice(0, OWN), published = [], ...shown }: Scene) {
  const { history, wholeHistory = chain.slice(0, ringFrom + 5) } = shown
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(own)
  const asked: string[] = []
  const d = {
    poseidon: wasmPoseidon,
    pool: { domain: new Uint8Array(32) },
    published: published.map((source) => ({ forget: () => asked.push('forget'), ...source })),
    log: { failed: (step: string) => asked.push(step) },
    chain: {
      readHead: async () => ({}),
      readHistory: async (slotFrom: bigint) => {
        asked.push(`history from ${slotFrom}`)
        if (history === undefined) throw new Error('the history is long')
        return historyOf(slotFrom === 0n ? wholeHistory : history)
      },
      forgetHistory: () => asked.push('forget'),
    },
  } as unknown as FollowDependencies
  const result = await catchUp(d, tree, target)
  const isTaken = result !== 'refuted' && result !== 'unavailable'
  return { tree, asked, result: isTaken ? [result.keep, result.fresh.length] : result }
}

const honest = { read: async (from: number, to: number) => chain.slice(from, to) }
const lying = {
  read: async (from: number, to: number) => chain.slice(from, to).map((leaf) => leaf + 1n),
}
const silent = {
  read: async () => {
    throw new Error('no answer')
  },
}

it('catches up from published leaves after an absence of 5,000 leaves', async () => {
  const { result, tree, asked } = await caughtUp({ published: [honest] })
  expect(result).toEqual([OWN, COUNT - OWN])
  expect([tree.size, tree.root, tree.isWhole]).toEqual([COUNT, ROOT, true])
  expect(asked).toEqual(['forget'])
})

it('asks the next source if a source gives wrong leaves or no answer', async () => {
  const { result, tree } = await caughtUp({ published: [silent, lying, honest] })
  expect(result).toEqual([OWN, COUNT - OWN])
  expect(tree.root).toBe(ROOT)
})

it('catches up from history if there are no published leaves', async () => {
  const { result, tree, asked } = await caughtUp({ history: chain.slice(OWN - 3) })
  expect(result).toEqual([OWN, COUNT - OWN])
  expect([tree.root, asked]).toEqual([ROOT, ['history from 50', 'forget']])
})

it('keeps its leaves while the history is incomplete', async () => {
  const { result, tree, asked } = await caughtUp({ published: [lying] })
  expect([result, tree.size]).toEqual(['unavailable', OWN])
  // The pages of history that were read stay in memory for the next round.
  expect(asked).toEqual(['forget', 'history from 50', 'catch_up'])
})

it('reads all leaves again if every source contradicts the stored leaves', async () => {
  const own = chain.slice(0, OWN).with(7, 99n)
  const { result, tree } = await caughtUp({ own, published: [honest], history: chain.slice(OWN) })
  expect(result).toEqual([0, COUNT])
  expect([tree.root, tree.isWhole]).toEqual([ROOT, true])
})

it('reports `refuted` if every source has wrong leaves', async () => {
  const { result, tree } = await caughtUp({
    ...{ own: [], published: [lying], history: [] },
    wholeHistory: chain.map((leaf) => leaf + 1n),
  })
  expect([result, tree.size]).toEqual(['refuted', 0])
})
