import { wasmPoseidon } from '@sotto/poseidon'
import { NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { OperatorError } from '../../start/operator-error.ts'
import type { Appended } from '../../ports/settlement-chain.ts'
import { VerifiedTree } from '../../settlement/follow/verified-tree.ts'
import { rebuildOrders, showsAllOf, type RebuildDependencies } from './rebuild-orders.ts'

/**
 * Rebuilds from a node that fails with these errors one after another, and then always with the last error. Returns the
 * number of reads.
 */
async function readings(...ends: readonly Error[]): Promise<number> {
  const last = ends.at(-1) ?? new Error('the node is gone')
  let reads = 0
  const d = {
    clock: { nowMs: () => 0, sleep: async () => undefined },
    progress: () => undefined,
    chain: {
      readHead: async () => ({ slot: 1n, blockHeight: 1n, unixSeconds: 1n, nextLeaf: 9n }),
      readHistory: async () => {
        reads += 1
        throw ends[reads - 1] ?? last
      },
    },
  } as unknown as RebuildDependencies
  const as = { accountId: 'acme' } as Parameters<typeof rebuildOrders>[1]
  await expect(rebuildOrders(d, as)).rejects.toThrow(last.message)
  return reads
}

it('continues to read after a node failed, but stops if the operator must act', async () => {
  const broken = new Error('the node gives no answer')
  expect(await readings(broken, broken, new OperatorError('add these assets first'))).toBe(3)
})

it('ends the command if a node always fails', async () => {
  expect(await readings(new Error('the node gives no answer'))).toBe(30)
})

it('knows all payees only if the history shows every leaf and every settlement completely', () => {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll([5n, 6n, 7n])
  const d = { poseidon: wasmPoseidon, pool: { domain: new Uint8Array(32) } }
  const change = (leaf: bigint, paid?: 'refund') =>
    ({ kind: 'change', leaf, paid: paid ?? NATIVE_MINT }) as const
  const shows = (...appended: readonly Appended[]) =>
    showsAllOf(tree, d, [{ appended, signature: 'landed', slot: 1n, unixSeconds: unixSeconds(1n) }])
  expect(shows(change(5n), change(6n, 'refund'), change(7n))).toBe(true)
  // Leaves that were appended after the tree was read are ignored.
  expect(shows(change(5n), change(6n), change(7n), change(8n))).toBe(true)
  expect(shows(change(6n), change(7n), change(8n))).toBe(false)
  expect(shows(change(5n), change(6n))).toBe(false)
  expect(shows(change(5n), { kind: 'change', leaf: 6n }, change(7n))).toBe(false)
})
