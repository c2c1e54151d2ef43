import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { followChain } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

const LEAF = 11n

/** Follows a chain whose tree has one leaf. `awaited` are the leaves of orders that wait for their deposits. */
async function follow(awaited: readonly bigint[]): Promise<boolean> {
  const root = new MerkleTree(wasmPoseidon).append(LEAF)
  const head = { slot: 50n, blockHeight: 50n, unixSeconds: 1_000n, nextLeaf: 1n }
  const orderOf = (leaf: bigint) => ({
    orderId: new Uint8Array(16),
    ...{ epoch: 0, leaf, sealedTerms: new Uint8Array(0) },
    ...{ deadline: unixSeconds(0n), expiry: unixSeconds(600n) },
  })
  const d = {
    poseidon: wasmPoseidon,
    clock: { nowMs: () => 0 },
    log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
    chain: { readHead: async () => head, readEntries: async () => [{ leaf: LEAF, root }] },
    secrets: { read: async () => undefined },
    store: {
      readLeaves: async () => [],
      readCursor: async () => ({ nextLeaf: 0n, slot: 45n, unixSeconds: 1_000n }),
      readAwaiting: async (leaves: readonly bigint[]) =>
        awaited.filter((leaf) => leaves.includes(leaf)).map(orderOf),
      listArrived: async () => [],
      tryRecord: async () => true,
    },
  } as unknown as FollowDependencies
  return followChain(d, new VerifiedTree(wasmPoseidon))
}

it('a step reports a recorded deposit, and not the leaf of a settlement', async () => {
  expect(await follow([LEAF])).toBe(true)
  expect(await follow([])).toBe(false)
})
