import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { followChain, type Followed } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

const LEAF = 11n

interface Case {
  readonly isFirst?: boolean
  /** The slot of the cursor. The head has slot 50. */
  readonly slot?: bigint
  readonly catchingUp?: () => void
}

/** Follows a chain whose tree has one leaf. `awaited` are the leaves of orders that wait for their deposits. */
async function follow(
  awaited: readonly bigint[],
  { isFirst = true, slot = 45n, catchingUp = () => undefined }: Case = {},
): Promise<Followed> {
  const root = new MerkleTree(wasmPoseidon).append(LEAF)
  const head = { slot: 50n, blockHeight: 50n, unixSeconds: 1_000n, nextLeaf: 1n }
  const orderOf = (leaf: bigint) => ({
    orderId: new Uint8Array(16),
    ...{ epoch: 0, leaf, sealedTerms: new Uint8Array(0) },
    ...{ deadline: unixSeconds(0n), expiry: unixSeconds(600n) },
  })
  const d = {
    poseidon: wasmPoseidon,
    catchingUp,
    clockMarginSeconds: 0n,
    clock: { nowMs: () => 0 },
    log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
    chain: { readHead: async () => head, readEntries: async () => [{ leaf: LEAF, root }] },
    secrets: { read: async () => undefined },
    store: {
      readLeaves: async () => [],
      readCursor: async () => ({ nextLeaf: 0n, slot, unixSeconds: 1_000n, followedAtMs: 0 }),
      readAwaiting: async (leaves: readonly bigint[]) =>
        awaited.filter((leaf) => leaves.includes(leaf)).map(orderOf),
      listArrived: async () => [],
      tryRecord: async () => isFirst,
    },
  } as unknown as FollowDependencies
  return followChain(d, new VerifiedTree(wasmPoseidon))
}

it('reports whether a step recorded a deposit, only other leaves, or nothing', async () => {
  expect(await follow([LEAF])).toBe('deposits')
  expect(await follow([])).toBe('tree')
  expect(await follow([LEAF], { isFirst: false })).toBe('nothing')
})

it('calls `catchingUp` if the cursor could not move as far as the head', async () => {
  let calls = 0
  const catchingUp = () => void (calls += 1)
  await follow([], { slot: 45n, catchingUp })
  expect(calls).toBe(0)
  await follow([], { slot: 20n, catchingUp })
  expect(calls).toBe(1)
})
