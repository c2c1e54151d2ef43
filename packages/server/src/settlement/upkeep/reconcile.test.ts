import { expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { reconciler, type ReconcileDependencies } from './reconcile.ts'
import { VerifiedTree } from '../follow/verified-tree.ts'

interface Scene {
  readonly owed?: bigint
  readonly held?: bigint
  readonly rent?: bigint
  /** Number of slots by which the cursor advances in each pause of the comparison. */
  readonly slotsPerPause: bigint
}

interface Doubles {
  readonly slot?: () => bigint
  readonly sleep?: () => Promise<void>
  readonly readBooks?: () => Promise<unknown>
  readonly halt?: (reason: string) => Promise<void>
  readonly alert?: (code: string) => void
  readonly books?: () => void
  /** The mint of an open order of 5 base units. By default, no order is open. */
  readonly openMint?: string
}

/** Dependencies with an empty database, except for the order of `openMint`. `given` replaces some of them. */
function parts({ slot = () => 50n, openMint, ...given }: Doubles): ReconcileDependencies {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.check({ nextLeaf: 0n, rootAfter: () => undefined })
  const open = { orderId: new Uint8Array(32), destinationMint: openMint, expiry: 9n, value: 5n }
  return {
    tree,
    clock: { nowMs: () => 0, sleep: given.sleep ?? (async () => undefined) },
    log: {
      event: () => undefined,
      alert: given.alert ?? (() => undefined),
      failed: () => undefined,
    },
    chain: { readBooks: given.readBooks },
    opener: { openPayments: async () => [], openAll: async () => [] },
    store: {
      readLedger: async () => ({
        ...{ leaves: 0, deposited: 0, payments: 0, unsettled: 0, writtenOff: 0, ownerChanges: 0 },
        keptByOwners: new Map(),
      }),
      findLeaves: async () => new Map(),
      readCursor: async () => ({ slot: slot(), nextLeaf: 0n, unixSeconds: 1n }),
      listOpen: async () => (openMint === undefined ? [] : [open]),
      listPayments: async () => [],
      recordBooks: async () => given.books?.(),
      halt: given.halt ?? (async () => undefined),
    },
  } as unknown as ReconcileDependencies
}

const booksOf = (assets: readonly unknown[]) => async () => ({
  ...{ slot: 90n, nextLeaf: 0n, root: 0n, assets },
})

/** Returns the reasons with which one round halts new orders. The database is empty. */
async function halts({ owed = 0n, held = 9n, rent = 0n, slotsPerPause }: Scene): Promise<string[]> {
  const reasons: string[] = []
  let slot = 50n
  const d = parts({
    slot: () => slot,
    sleep: async () => void (slot += slotsPerPause),
    readBooks: booksOf([{ mint: 'm', held, rent, owed, fees: 0n, inventory: 0n }]),
    halt: async (reason) => void reasons.push(reason),
  })
  await reconciler(d)()
  return reasons
}

it('does not halt new orders for a difference until the cursor has advanced', async () => {
  expect(await halts({ owed: 5n, slotsPerPause: 0n })).toEqual([])
})

it('halts new orders for a difference that remains after the cursor has advanced', async () => {
  expect(await halts({ owed: 5n, slotsPerPause: 1n })).toEqual(['books_differ'])
})

it('halts new orders if a vault holds too little, even if the chain is not followed', async () => {
  expect(await halts({ owed: 5n, held: 4n, slotsPerPause: 0n })).toEqual(['books_differ'])
})

it('does not halt new orders if a vault is short only because the minimum rent has risen', async () => {
  // The vault has 890,880 lamports, the former minimum. The minimum has doubled, so `held`, the money above the
  // minimum, is negative. No notes are owed.
  const risen = { held: -890_880n, owed: 0n, slotsPerPause: 0n }
  expect(await halts({ ...risen, rent: 1_781_760n })).toEqual([])
  expect(await halts({ ...risen, rent: 890_879n })).toEqual(['books_differ'])
})

it('does not halt new orders if the books agree', async () => {
  expect(await halts({ slotsPerPause: 1n })).toEqual([])
})

it('raises an alert if the books could not be read in thirty rounds', async () => {
  const alerts: string[] = []
  const readBooks = () => Promise.reject(new Error('the node refuses'))
  const round = reconciler(parts({ readBooks, alert: (code) => void alerts.push(code) }))
  for (let rounds = 0; rounds < 29; rounds += 1) {
    await expect(round()).rejects.toThrow('the node refuses')
  }
  expect(alerts).toEqual([])
  await expect(round()).rejects.toThrow('the node refuses')
  expect(alerts).toEqual(['books_unchecked'])
})

it('records no result if the node hides the books of an asset with open notes', async () => {
  for (const [openMint, results] of [
    ['m', 0],
    [undefined, 1],
  ] as const) {
    let recorded = 0
    const books = () => void (recorded += 1)
    await reconciler(parts({ readBooks: booksOf([]), books, ...(openMint && { openMint }) }))()
    expect(recorded).toBe(results)
  }
})
