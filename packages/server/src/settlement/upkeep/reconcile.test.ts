import { expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { reconciler, type ReconcileDependencies } from './reconcile.ts'
import { VerifiedTree } from '../follow/verified-tree.ts'

interface Scene {
  readonly owed?: bigint
  readonly held?: bigint
  /** Number of slots by which the cursor advances in each pause of the comparison. */
  readonly slotsPerPause: bigint
}

/** The reasons with which one round over an empty database halts new orders. */
async function halts({ owed = 0n, held = 9n, slotsPerPause }: Scene): Promise<string[]> {
  const reasons: string[] = []
  let slot = 50n
  const tree = new VerifiedTree(wasmPoseidon)
  tree.check({ nextLeaf: 0n, rootAfter: () => undefined })
  const assets = [{ mint: 'm', held, owed, fees: 0n, inventory: 0n }]
  const d = {
    tree,
    clock: {
      nowMs: () => 0,
      sleep: async () => {
        slot += slotsPerPause
      },
    },
    log: { event: () => undefined, alert: () => undefined, failed: () => undefined },
    chain: { readBooks: async () => ({ slot: 90n, nextLeaf: 0n, root: 0n, assets }) },
    opener: { openPayments: async () => [], openAll: async () => [] },
    store: {
      readLedger: async () => ({
        ...{ leaves: 0, deposited: 0, payments: 0, unsettled: 0, writtenOff: 0, ownerChanges: 0 },
        keptByOwners: new Map(),
      }),
      findLeaves: async () => new Map(),
      readCursor: async () => ({ slot, nextLeaf: 0n, unixSeconds: 1n }),
      listOpen: async () => [],
      listPayments: async () => [],
      recordBooks: async () => undefined,
      halt: async (reason: string) => void reasons.push(reason),
    },
  } as unknown as ReconcileDependencies
  await reconciler(d)()
  return reasons
}

it('a difference that a stale database causes does not halt new orders', async () => {
  expect(await halts({ owed: 5n, slotsPerPause: 0n })).toEqual([])
})

it('a difference that remains after the chain was followed further halts new orders', async () => {
  expect(await halts({ owed: 5n, slotsPerPause: 1n })).toEqual(['books_differ'])
})

it('a vault that holds too little halts new orders whether or not the chain is followed', async () => {
  expect(await halts({ owed: 5n, held: 4n, slotsPerPause: 0n })).toEqual(['books_differ'])
})

it('books that agree do not halt new orders', async () => {
  expect(await halts({ slotsPerPause: 1n })).toEqual([])
})
