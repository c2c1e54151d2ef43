import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { decodePlan, encodeTerms } from '../../domain/order-secrets.ts'
import type { FollowedBatch } from '../../ports/settlement-store.ts'
import { followChain } from './follow-chain.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

const LEAF = 11n
const NOW = 1_700_000_000n
const NOW_MS = 1_000 * Number(NOW)
const EXPIRY = unixSeconds(NOW + 3_600n)

/**
 * Returns the milliseconds from now to the planned delivery. The node reports `chainSeconds` as the chain's time, and
 * the worker's wall clock is ahead by `aheadMs`.
 */
async function delayAt(chainSeconds: bigint, aheadMs = 0): Promise<number> {
  const root = new MerkleTree(wasmPoseidon).append(LEAF)
  const batches: FollowedBatch[] = []
  const terms = { accountExisted: true, minDelaySeconds: 600, maxDelaySeconds: 1_800 }
  const order = {
    ...{ orderId: new Uint8Array(16), epoch: 0, leaf: LEAF, expiry: EXPIRY },
    ...{
      deadline: unixSeconds(NOW),
      sealedTerms: encodeTerms({ ...terms, recipient: '' as never }),
    },
  }
  const same = (_id: Uint8Array, _column: string, bytes: Uint8Array) => bytes
  const clock = { nowMs: () => NOW_MS + aheadMs }
  const d = {
    ...{ poseidon: wasmPoseidon, published: [], clock, random: systemRandom },
    ...{ clockMarginSeconds: 120n, delayLaw: { meanSeconds: 300, spreadSeconds: 1_800 } },
    log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
    chain: {
      readHead: async () => ({ slot: 50n, unixSeconds: unixSeconds(chainSeconds), nextLeaf: 1n }),
      readEntries: async () => [{ leaf: LEAF, root }],
      readDepositIndexes: async () => [0],
    },
    secrets: { read: async () => ({ open: same, seal: same }) },
    store: {
      readLeaves: async () => [],
      readCursor: async () => ({
        ...{ nextLeaf: 0n, slot: 49n, unixSeconds: unixSeconds(NOW), followedAtMs: NOW_MS },
      }),
      readAwaiting: async () => [order],
      listArrived: async () => [],
      tryRecord: async (batch: FollowedBatch) => batches.push(batch) > 0,
    },
  } as unknown as FollowDependencies
  await followChain(d, new VerifiedTree(wasmPoseidon))
  const [plan] = batches.flatMap(({ deposits }) => deposits.map((one) => one.sealedPlan))
  return decodePlan(plan!).deliverAtMs - NOW_MS
}

it('draws the requested delay although a node shows a clock near the expiry', async () => {
  for (const chainSeconds of [NOW, EXPIRY - 121n, EXPIRY + 90_000n]) {
    expect(await delayAt(chainSeconds)).toBeGreaterThanOrEqual(600_000)
  }
})

it('draws the requested delay although the wall clock is an hour ahead', async () => {
  const delayMs = await delayAt(NOW, 3_600_000)
  expect(delayMs).toBeGreaterThanOrEqual(600_000)
  expect(delayMs).toBeLessThanOrEqual(1_800_000 + 120_000)
})
