import { wasmPoseidon } from '@sotto/poseidon'
import { NATIVE_MINT, TREE_LEAVES, TREE_LEVELS, amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import type { Outcome } from '../../ports/settlement-store.ts'
import { WorkPool } from '../../running/work-pool.ts'
import { AttemptAges } from './attempt-ages.ts'
import { confirmOrders, type ConfirmScope } from './confirm.ts'
import { FirstReadings } from '../notes/first-readings.ts'

const EXPIRY = 10_000n
const NOW = 5_000n
/** The transaction of a settlement that appended this leaf. */
const transaction = (changeLeaf: bigint, isRefund = false): FoundSettlement => ({
  ...{ isRefund, changeLeaf, signature: 'settled', slot: 8n, unixSeconds: unixSeconds(900n) },
  ...{ payee: NATIVE_MINT, payout: amount(1n) },
})

interface Scene {
  readonly scope: ConfirmScope
  /** The leaves of the verified tree. Leaf `n` is the deposit of order `n`. */
  readonly leaves: readonly bigint[]
  readonly orders?: number
  /** Orders that can't be opened. */
  readonly unreadable?: readonly number[]
  /** Orders with a live attempt. */
  readonly attempted?: readonly number[]
  /** The node's answer for every Nullifier. */
  readonly settled?: SettledNote
  readonly found?: FoundSettlement
  /** The settlements that several nodes show, one from each node. `isProved` is true if their proofs are valid. */
  readonly said?: readonly FoundSettlement[]
  readonly isProved?: boolean
  /** The nullifier whose transaction the node never shows: it doesn't answer such a request. */
  readonly silent?: bigint
  readonly isVerified?: boolean
  /** The size of the tree. By default it is the number of its leaves. */
  readonly size?: number
  /** The followed clock in each round. */
  readonly rounds?: readonly bigint[]
  /** Seconds by which the node's clock is ahead of the followed clock. */
  readonly ahead?: bigint
}

const settledAt = (atSeconds: bigint) => ({ atSeconds, rentPayer: 'p' }) as SettledNote
/** The change leaf of order `n`. The order's nullifier is `n`. */
const changeLeafOf = (order: number) => 100n + BigInt(order)

async function confirmed(scene: Scene) {
  const { leaves, orders: count = 1, attempted = [], rounds = [NOW], unreadable = [] } = scene
  const asked: bigint[][] = []
  const ended: Outcome[] = []
  const alerts: string[] = []
  const opened = Array.from({ length: count }, (_, index) => ({
    order: {
      ...{ orderId: new Uint8Array(16).fill(index), status: 'deposited' },
      ...{ amountOut: 7n, attempt: attempted.includes(index) ? { number: 1 } : undefined },
    },
    ...{ terms: {}, leafIndex: index },
    ...{ nullifier: BigInt(index), changeLeaf: changeLeafOf(index), plan: { deliverAtMs: 0 } },
    note: { mint: NATIVE_MINT, value: 9n, deadline: 0n, expiry: EXPIRY },
    secrets: {
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
      open: () => new TextEncoder().encode('{"lastValidBlockHeight":"9","wire":""}'),
    },
  }))
  let unixSeconds = NOW
  const d = {
    tree: {
      isVerified: scene.isVerified ?? true,
      size: scene.size ?? leaves.length,
      leaf: (index: number) => leaves[index],
      path: () => Array.from({ length: 3 * TREE_LEVELS }, () => 0n),
    },
    verifier: { isProved: () => scene.isProved === true },
    ...{ poseidon: wasmPoseidon, pool: { domain: new Uint8Array(32) } },
    // With this random source, a shuffle moves every item.
    random: { below: () => 0 },
    clock: { nowMs: () => 5 },
    log: { alert: (code: string) => alerts.push(code), event: () => undefined },
    opener: {
      findBalance: () => undefined,
      openPayments: async () => [],
      openAll: async (open: { orderId: Uint8Array }[]) =>
        open.flatMap(({ orderId: [n = 0] }) => (unreadable.includes(n) ? [] : [opened[n]])),
    },
    chain: {
      readHead: async () => {
        const seconds = unixSeconds + (scene.ahead ?? 0n) * BigInt(asked.length)
        return { slot: 1n, blockHeight: 1n, unixSeconds: seconds, nextLeaf: 0n }
      },
      readNullifiers: async (nullifiers: bigint[]) => {
        asked.push(nullifiers)
        return { slot: 1n, settled: nullifiers.map(() => scene.settled) }
      },
      findSettlement: async (nullifier: bigint) =>
        nullifier === scene.silent ? new Promise(() => undefined) : scene.found,
      findSettlements: scene.said && (async () => scene.said),
      broadcast: async () => undefined,
    },
    store: {
      listPayments: async () => [],
      readCursor: async () => ({ unixSeconds }),
      listOpen: async () => opened.map(({ order }) => order),
      findLeaves: async (some: bigint[]) =>
        new Map(
          some.flatMap((leaf) => {
            const index = leaves.lastIndexOf(leaf)
            return index < 0 ? [] : [[leaf, index] as const]
          }),
        ),
      readLedger: async () => ({
        ...{ leaves: leaves.length, deposited: count, payments: 0, unsettled: 0, ownerChanges: 0 },
      }),
      readExplained: async () => ({ nextLeaf: 0 }),
      tryComplete: async (outcome: Outcome) => ended.push(outcome) > 0,
    },
    firstReadings: new FirstReadings(),
    ...{ broadcasts: { isDue: () => false }, attemptAges: new AttemptAges() },
  } as unknown as Parameters<typeof confirmOrders>[0]
  const workPool = new WorkPool(8)
  for (const round of rounds) {
    unixSeconds = round
    await confirmOrders(d, scene.scope, workPool)
    await new Promise(setImmediate)
  }
  const shown = ended.map((outcome) => outcome.shown)
  return { asked, ended: ended.map(({ to }) => to), shown, alerts }
}

it('checks all other orders while the request for one order hangs', async () => {
  const leaves = [0n, 1n, 2n, changeLeafOf(0), changeLeafOf(1), changeLeafOf(2)]
  const { asked, ended } = await confirmed({
    ...{ scope: 'attempts', leaves, orders: 3, attempted: [0, 1, 2], silent: 1n },
    ...{ settled: settledAt(900n), found: transaction(0n), rounds: [NOW, NOW] },
  })
  expect([asked[0]!.length, asked[1]!.toSorted()]).toEqual([3, [0n, 2n]])
  expect(ended).toEqual(Array(4).fill('delivered'))
})

it('asks nodes only for nullifiers that are public, in random order', async () => {
  const leaves = [0n, 1n, 2n, 3n, 4n, 5n, changeLeafOf(4), changeLeafOf(1)]
  const scene = { leaves, orders: 6, attempted: [0, 2, 5] }
  const live = await confirmed({ ...scene, scope: 'attempts' })
  expect(live.asked.map((one) => one.toSorted())).toEqual([[0n, 2n, 5n]])
  expect(live.asked[0]).not.toEqual([0n, 2n, 5n])
  const all = await confirmed({ ...scene, scope: 'all' })
  expect(all.asked.map((one) => one.toSorted())).toEqual([[0n, 1n, 2n, 4n, 5n]])
  expect(all.asked[0]).not.toEqual(all.asked[0]!.toSorted())
})

it('asks nodes for no nullifier while no note is paid', async () => {
  const { asked } = await confirmed({ scope: 'all', leaves: [0n, 1n], orders: 2 })
  expect(asked).toEqual([])
})

it('ends an order that another wallet settled if the tree has the settlement’s leaf', async () => {
  const scene = { scope: 'all', leaves: [0n, changeLeafOf(0)], settled: settledAt(900n) } as const
  expect((await confirmed(scene)).ended).toEqual(['delivered'])
  expect((await confirmed({ ...scene, isVerified: false })).ended).toEqual([])
})

it('records the public facts of a delivery, but not those of a refund', async () => {
  const scene = { scope: 'all', leaves: [0n, changeLeafOf(0)], rounds: [EXPIRY + 900n] } as const
  const shownAt = async (at: bigint) =>
    (await confirmed({ ...scene, settled: settledAt(at) })).shown
  expect(await shownAt(900n)).toMatchObject([{ gross: 9n }])
  expect(await shownAt(EXPIRY + 700n)).toEqual([undefined])
})

const LIED = { scope: 'attempts', attempted: [0], settled: settledAt(900n) } as const

it('does not end an order because of a Nullifier that one node invents', async () => {
  // The tree also has an order that isn't in this service's database.
  const leaves = [0n, 55n]
  const bare = await confirmed({ ...LIED, leaves })
  expect([bare.ended, bare.alerts]).toEqual([[], ['history_missing']])
  for (const found of [transaction(changeLeafOf(0)), transaction(56n), transaction(0n)]) {
    expect((await confirmed({ ...LIED, leaves, found })).ended).toEqual([])
  }
})

it('does not end a note by the time of a Nullifier that only one of several nodes shows', async () => {
  const leaves = [0n, changeLeafOf(0)]
  const settled = settledAt(EXPIRY + 1n)
  const alone = { scope: 'all', leaves, settled: { ...settled, isAlone: true } } as const
  const rounds = [EXPIRY + 900n]
  expect((await confirmed({ ...alone, rounds })).ended).toEqual([])
  const found = transaction(changeLeafOf(0), true)
  expect((await confirmed({ ...alone, rounds, found })).ended).toEqual(['refunded'])
  const disputed = { ...alone, settled: { ...settled, isAlone: true, isDisputed: true } }
  const doubted = await confirmed({ ...disputed, rounds, found })
  expect([doubted.ended, doubted.alerts]).toEqual([[], ['nodes_disagree']])
})

/** A settlement of note 0 with a proof. The delivery and the refund of a note append the same leaf. */
const provable = (time: bigint, isRefund: boolean): FoundSettlement => ({
  ...transaction(changeLeafOf(0), isRefund),
  signature: isRefund ? 'refund' : 'delivery',
  shown: {
    ...{ nullifier: 0n, changeLeaf: changeLeafOf(0), root: { kind: 'recent', index: 0 } },
    ...{ mint: NATIVE_MINT, payee: NATIVE_MINT, payout: amount(9n), fee: amount(0n), isRefund },
    time: unixSeconds(time),
  } as unknown as NonNullable<FoundSettlement['shown']>,
})
const REFUND = provable(EXPIRY + 600n, true)
const DELIVERY = provable(900n, false)

/** Returns the end of an order whose Nullifier has these times, one from each node. */
async function disputedEnd(
  shownAt: readonly bigint[],
  said: readonly FoundSettlement[],
  isProved = true,
) {
  const shown = shownAt.map((time) => unixSeconds(time))
  const settled = {
    ...settledAt(shownAt[0] ?? 900n),
    isAlone: true,
    isDisputed: true,
    shownAt: shown,
  }
  const { ended, alerts } = await confirmed({
    ...{ scope: 'all', leaves: [0n, changeLeafOf(0)], rounds: [EXPIRY + 900n] },
    ...{ settled, said, found: said[0]!, isProved },
  })
  expect(alerts).toEqual(['nodes_disagree'])
  return ended
}

it('ends an order with a disputed Nullifier only by a settlement with a valid proof', async () => {
  const late = [EXPIRY + 700n, EXPIRY + 650n]
  const lie = { ...transaction(changeLeafOf(0)), signature: 'lie' }
  expect(await disputedEnd(late, [lie, REFUND])).toEqual(['refunded'])
  expect(await disputedEnd(late, [lie, REFUND], false)).toEqual([])
  expect(await disputedEnd(late, [lie])).toEqual([])
  // The proof must be for a settlement of this note, and its leaf must be in the tree.
  const shown = REFUND.shown!
  for (const other of [{ nullifier: 1n }, { changeLeaf: 77n }]) {
    expect(await disputedEnd(late, [{ ...REFUND, shown: { ...shown, ...other } }])).toEqual([])
  }
})

it('does not end a note by a proven settlement that may not have landed', async () => {
  // A ticket's holder can prove a delivery and a refund of the same note, but only one of them lands.
  const [early, late] = [900n, EXPIRY + 700n]
  for (const other of [early, late]) {
    const times = [late, other + 1n]
    expect(await disputedEnd(times, [DELIVERY, REFUND])).toEqual([])
    expect(await disputedEnd(times, [REFUND, DELIVERY])).toEqual([])
  }
  // The honest node's settlement may lack a valid proof. Then the only proven settlement can be false. So at least two
  // nodes, and more than half of the nodes that show a Nullifier, must show one that agrees with this settlement.
  for (const times of [[early, late], [early], [late], [], [early, early + 1n, late, late + 1n]]) {
    expect(await disputedEnd([...times], [DELIVERY])).toEqual([])
    expect(await disputedEnd([...times], [REFUND])).toEqual([])
  }
  expect(await disputedEnd([early, late, late + 1n], [DELIVERY])).toEqual([])
  expect(await disputedEnd([early, late, late + 1n], [REFUND])).toEqual(['refunded'])
  expect(await disputedEnd([early, early + 1n], [DELIVERY])).toEqual(['delivered'])
  // Two proven settlements with different times contradict each other, even if both times are after the expiry.
  expect(await disputedEnd([late, late + 1n], [REFUND, provable(EXPIRY + 1_200n, true)])).toEqual(
    [],
  )
})

it('ends an order by a settlement with an unexpected leaf if its transaction is found', async () => {
  const found = transaction(55n)
  expect((await confirmed({ ...LIED, leaves: [0n, 55n], found })).ended).toEqual(['delivered'])
  // The leaf is the deposit of another order, so it can't be the settlement's leaf.
  const explained = { ...LIED, orders: 2, leaves: [0n, 1n], found: transaction(1n) }
  expect((await confirmed(explained)).ended).toEqual([])
})

it('does not end an order by the expected leaf of another order, even if that order cannot be opened', async () => {
  const leaves = [0n, 1n, changeLeafOf(1)]
  const lied = { ...LIED, orders: 2, leaves, found: transaction(changeLeafOf(1)) }
  expect((await confirmed(lied)).ended).toEqual([])
  expect((await confirmed({ ...lied, unreadable: [1] })).ended).toEqual([])
})

it('confirms a refund in a full tree by its transaction or by a second reading', async () => {
  const settled = settledAt(EXPIRY + 600n)
  const full = { ...LIED, settled, leaves: [0n], size: wholeNumber(TREE_LEAVES) }
  const [first, soon, later] = [EXPIRY + 900n, EXPIRY + 1_019n, EXPIRY + 1_020n]
  expect((await confirmed({ ...full, rounds: [first, soon] })).ended).toEqual([])
  expect((await confirmed({ ...full, rounds: [first, later] })).ended).toEqual(['refunded'])
  const found = transaction(0n, true)
  expect((await confirmed({ ...full, found, rounds: [first] })).ended).toEqual(['refunded'])
  // If a node's clock is ahead, the second reading must still wait for the followed clock.
  const hurried = { ...full, rounds: [first, soon], ahead: 1_000n }
  expect((await confirmed(hurried)).ended).toEqual([])
  // With several nodes, two of them must show the Nullifier.
  const alone = { ...full, settled: { ...settled, isAlone: true }, rounds: [first, later] }
  expect((await confirmed(alone)).ended).toEqual([])
  // Only refunds land in a full tree.
  const delivered = { ...full, settled: settledAt(900n), rounds: [first, later] }
  expect((await confirmed(delivered)).ended).toEqual([])
})
