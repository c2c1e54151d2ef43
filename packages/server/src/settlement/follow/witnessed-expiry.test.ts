import { unixSeconds } from '@sotto/protocol'
import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'
import type { FollowedBatch } from '../../ports/settlement-store.ts'
import { followChain } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { TreeWitness } from './tree-witness.ts'
import { VerifiedTree } from './verified-tree.ts'

const HEAD: FinalizedHead = {
  ...{ slot: 50n, blockHeight: 50n },
  ...{ unixSeconds: unixSeconds(1_000n), nextLeaf: 0n },
}

/** Returns the time before which orders expire if several nodes show these heads. Our tree is empty. */
async function expiresBefore(heads?: readonly Partial<FinalizedHead>[]) {
  const tree = new VerifiedTree(wasmPoseidon)
  const batches: FollowedBatch[] = []
  const clock = { nowMs: () => 0 } as Clock
  const shown = heads?.map((one) => ({ ...HEAD, root: undefined, ...one }))
  const d = {
    ...{ poseidon: wasmPoseidon, pool: { domain: new Uint8Array(32) }, published: [], clock },
    witness: shown && new TreeWitness(async () => shown, { clock, poseidon: wasmPoseidon, tree }),
    log: { alert: () => undefined, event: () => undefined },
    chain: { readHead: async () => HEAD },
    store: {
      readLeaves: async () => [],
      readCursor: async () => ({ nextLeaf: 0n, slot: 20n, unixSeconds: HEAD.unixSeconds }),
      ...{ readAwaiting: async () => [], listArrived: async () => [] },
      tryRecord: async (batch: FollowedBatch) => batches.push(batch) > 0,
    },
  } as unknown as FollowDependencies
  await followChain(d, tree)
  return batches.map((batch) => batch.expiresBefore)
}

it('I8: expires only orders that ended before a time that two nodes confirm', async () => {
  expect(await expiresBefore()).toEqual([1_000n])
  expect(await expiresBefore([{}, {}])).toEqual([1_000n])
  expect(await expiresBefore([{}, { unixSeconds: unixSeconds(900n) }])).toEqual([900n])
  // The second node has a leaf that the first node hides. The first node alone can't make orders expire.
  expect(await expiresBefore([{}, { nextLeaf: 1n }])).toEqual([0n])
  expect(await expiresBefore([{}])).toEqual([0n])
})
