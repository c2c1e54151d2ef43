import { wasmPoseidon } from '@sotto/poseidon'
import { NATIVE_MINT, TREE_LEVELS, amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { recountLeaves } from './recount-leaves.ts'

const EXPECTED = 100n
const UNEXPECTED = 77n

/**
 * Recounts for an order whose deposit is leaf 0 and whose settlement appended leaf 1. `explained` is the number of
 * leaves that count as explained. `ownerChanges` is the number of leaves that count as changes left by owners. Returns
 * whether the leaves are explained again, and the indexes from which records were deleted.
 */
async function recounted(
  changeLeaf: bigint,
  { explained = 2, ownerChanges = 1, isProved = true }: Record<string, unknown> = {},
) {
  const forgotten: number[] = []
  const leaves = [0n, changeLeaf]
  const order = { orderId: new Uint8Array(16) }
  const opened = { ...{ order, leafIndex: 0, nullifier: 5n, changeLeaf: EXPECTED }, terms: {} }
  const d = {
    ...{ verifier: { isProved: () => isProved }, poseidon: wasmPoseidon },
    pool: { domain: new Uint8Array(32) },
    tree: {
      ...{ isVerified: true, size: leaves.length, leaf: (index: number) => leaves[index] },
      path: () => Array.from({ length: 3 * TREE_LEVELS }, () => 0n),
    },
    opener: { openPayments: async () => [], openAll: async () => [opened] },
    store: {
      ...{ listPayments: async () => [], listOpen: async () => [order] },
      findLeaves: async (some: readonly bigint[]) =>
        new Map(some.flatMap((leaf) => (leaf === changeLeaf ? [[leaf, 1] as const] : []))),
      readLedger: async () => ({
        ...{ leaves: 2, deposited: 1, payments: 0, unsettled: 0, ownerChanges },
      }),
      readExplained: async () => ({ nextLeaf: explained }),
      forgetExplained: async (leafIndex: number) => void forgotten.push(leafIndex),
    },
  } as unknown as Parameters<typeof recountLeaves>[0]
  const shown = {
    ...{ nullifier: 5n, changeLeaf, root: { kind: 'recent', index: 0 }, mint: NATIVE_MINT },
    ...{ payee: NATIVE_MINT, payout: amount(9n), fee: amount(0n), isRefund: false, time: 600n },
  }
  const found = { changeLeaf, shown } as unknown as Parameters<typeof recountLeaves>[2]
  const isRecounted = await recountLeaves(d, opened as never, found)
  return [isRecounted, forgotten]
}

it('A221: explains leaves again if the leaf of an open order was counted for another note', async () => {
  expect(await recounted(UNEXPECTED)).toEqual([true, [1]])
})

it.each([
  ['the leaf is the expected one', EXPECTED, {}],
  ['the leaf is not counted as explained yet', UNEXPECTED, { explained: 1 }],
  ['a leaf is unexplained', UNEXPECTED, { ownerChanges: 0 }],
  ['the proof of the settlement is not valid', UNEXPECTED, { isProved: false }],
])('does not explain leaves again if %s', async (_reason, changeLeaf, scene) => {
  expect(await recounted(changeLeaf, scene)).toEqual([false, []])
})
