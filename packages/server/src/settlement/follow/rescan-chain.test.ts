import { MerkleTree, type RecentLeaf } from '@sotto/protocol'
import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import type { FollowedBatch } from '../../ports/settlement-store.ts'
import { rescanChain } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

const CHAIN = [11n, 12n, 13n, 14n]

function ringOf(leaves: readonly bigint[]): RecentLeaf[] {
  const tree = new MerkleTree(wasmPoseidon)
  return leaves.map((leaf) => ({ leaf, root: tree.append(leaf) }))
}

/** Rescans the chain with a node that returns these rings, one for each request. */
async function rescan(rings: readonly (readonly RecentLeaf[])[]) {
  const batches: FollowedBatch[] = []
  let asked = 0
  const head = { slot: 50n, blockHeight: 50n, unixSeconds: 1_000n, nextLeaf: 4n }
  const d = {
    ...{ poseidon: wasmPoseidon, published: [], clock: { nowMs: () => 0 } },
    log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
    chain: {
      readHead: async () => head,
      readTree: async () => {
        const ring = rings[asked]!
        asked += 1
        const facts = { slot: 50n, lastCheckpointHour: 0n, checkpoint: () => 0n }
        return { ...facts, nextLeaf: 4n, entry: (index: number) => ring[index] }
      },
    },
    store: {
      readCursor: async () => ({ nextLeaf: 4n, slot: 50n, unixSeconds: 1_000n }),
      readAwaiting: async () => [],
      listArrived: async () => [],
      tryRecord: async (batch: FollowedBatch) => batches.push(batch) > 0,
    },
  } as unknown as FollowDependencies
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(CHAIN)
  await rescanChain(d, tree)
  return { asked, kept: batches.map(({ keep }) => keep), isVerified: tree.isVerified }
}

it('keeps all leaves if only one of two answers contradicts them', async () => {
  const bad = ringOf([21n, 22n, 23n, 24n])
  const { asked, kept, isVerified } = await rescan([bad, ringOf(CHAIN)])
  expect({ asked, kept, isVerified }).toEqual({ asked: 2, kept: [4], isVerified: true })
})

it('reads leaves again if two answers contradict them', async () => {
  const other = ringOf([11n, 12n, 13n, 15n])
  expect((await rescan([other, other])).kept).toEqual([3])
})
