import { wasmPoseidon } from '@sotto/poseidon'
import { NATIVE_MINT, TREE_LEVELS, amount, unixSeconds, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ExplainedLeaves } from '../../ports/upkeep-records.ts'
import { leafExplainer } from './explain-leaves.ts'

const START = 1_000n
/** The change that an unexpected settlement of order 0 leaves. */
const UNEXPECTED = 77n

/** An open order whose note is leaf `index`. Its settlement is expected to append leaf `100 + index`. */
const orderAt = (index: number, isBalance = false) => ({
  order: {
    ...{ orderId: new Uint8Array(16).fill(index), epoch: 1, status: 'deposited' },
    ...{ sealedPlan: new Uint8Array(1), destinationMint: 'm', value: 9n, expiry: 10_000n },
  },
  ...{ terms: isBalance ? { owner: {} } : {}, plan: { deliverAtMs: 0 }, leafIndex: index },
  ...{ nullifier: BigInt(index), changeLeaf: 100n + BigInt(index), leaf: BigInt(index) },
  note: { mint: NATIVE_MINT, value: amount(9n), deadline: 0n, expiry: 10_000n },
  secrets: {
    seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
    pseudonym: () => new Uint8Array(32),
  },
})
type Open = ReturnType<typeof orderAt>

/** A transaction with a settlement of the note with this nullifier, which appended `leaf`. */
const settlement = (leaf: bigint, nullifier: bigint) => ({
  ...{ signature: `of ${leaf}`, slot: 1n, unixSeconds: unixSeconds(1n) },
  appended: [
    {
      ...{ kind: 'change', leaf },
      settlement: {
        ...{ nullifier, changeLeaf: leaf, root: { kind: 'recent', index: 0 }, mint: NATIVE_MINT },
        ...{ payee: NATIVE_MINT, payout: amount(9n), fee: amount(0n), isRefund: false },
        time: unixSeconds(600n),
      },
    },
  ],
})

interface World {
  /** The tree's leaves. The first `deposited` leaves are deposits. */
  leaves: bigint[]
  readonly deposited: number
  open: Open[]
  transactions: ReturnType<typeof settlement>[]
  /** The Nullifiers that the nodes show. `isAlone` is true if only one of several nodes shows them. */
  spent?: { readonly nullifiers: readonly bigint[]; readonly isAlone?: boolean }
  clock?: bigint
  /** The time up to which two nodes confirm the tree; undefined if only one node is configured. */
  confirmed?: bigint
}

function explaining(world: World) {
  const records: ExplainedLeaves[] = []
  const ended: unknown[] = []
  const paid: Address[] = []
  const d = {
    ...{ verifier: { isProved: () => true }, poseidon: wasmPoseidon },
    ...{ pool: { domain: new Uint8Array(32) }, random: { below: () => 0 } },
    ...{ clock: { nowMs: () => 5 }, log: { alert: () => undefined, event: () => undefined } },
    witness: world.confirmed === undefined ? undefined : { confirmed: () => world.confirmed },
    tree: {
      isVerified: true,
      get size() {
        return world.leaves.length
      },
      leaf: (index: number) => world.leaves[index],
      path: () => Array.from({ length: 3 * TREE_LEVELS }, () => 0n),
    },
    opener: {
      openPayments: async () => [],
      openAll: async (orders: readonly unknown[]) =>
        world.open.filter(({ order }) => orders.includes(order)),
    },
    chain: {
      ...{ readHead: async () => ({ slot: 1n }), forgetHistory: () => undefined },
      readSettled: async () => world.transactions,
      readNullifiers: async (nullifiers: readonly bigint[]) => ({
        slot: 1n,
        settled: nullifiers.map((one) =>
          world.spent?.nullifiers.includes(one) === true
            ? { atSeconds: 600n, isAlone: world.spent.isAlone }
            : undefined,
        ),
      }),
    },
    store: {
      readCursor: async () => ({ slot: 1n, unixSeconds: unixSeconds(world.clock ?? START) }),
      ...{ listPayments: async () => [], listOpen: async () => world.open.map((one) => one.order) },
      findLeaves: async (leaves: readonly bigint[]) =>
        new Map(
          leaves
            .map((leaf) => [leaf, world.leaves.lastIndexOf(leaf)] as const)
            .filter(([, at]) => at >= world.deposited),
        ),
      readExplained: async () => records.at(-1) ?? { nextLeaf: 0, slot: 0n, ownerChanges: 0 },
      recordPaid: async (payees: readonly Address[]) => void paid.push(...payees),
      recordExplained: async (explained: ExplainedLeaves) => void records.push(explained),
      listDeposits: async () =>
        new Set(Array.from({ length: world.deposited }, (_, index) => index)),
      readLedger: async () => ({
        ...{ leaves: world.leaves.length, deposited: world.deposited, payments: 0, unsettled: 0 },
        ...{ ownerChanges: records.at(-1)?.ownerChanges ?? 0, writtenOff: 0 },
      }),
      tryComplete: async (outcome: unknown) => ended.push(outcome) > 0,
    },
  }
  return {
    records,
    ended,
    paid,
    round: leafExplainer(d as unknown as Parameters<typeof leafExplainer>[0]),
  }
}

it('records leaves as explained only after a second count two minutes later', async () => {
  const world: World = { leaves: [0n, 100n], deposited: 1, open: [], transactions: [] }
  const { records, round } = explaining(world)
  await round()
  world.clock = START + 119n
  await round()
  expect(records).toEqual([])
  world.clock = START + 120n
  await round()
  expect(records).toEqual([{ nextLeaf: 2, slot: 1n, ownerChanges: 0 }])
})

it('needs two of several nodes to confirm the tree of the second count', async () => {
  const world: World = {
    leaves: [0n, 100n],
    deposited: 1,
    open: [],
    transactions: [],
    confirmed: 0n,
  }
  const { records, round } = explaining(world)
  await round()
  world.clock = START + 500n
  await round()
  world.confirmed = START + 119n
  await round()
  expect(records).toEqual([])
  world.confirmed = START + 120n
  await round()
  expect(records).toHaveLength(1)
})

it('explains no leaf if the list of open orders lacks an order for a moment', async () => {
  // Order 0 was settled with an unexpected leaf. Order 1 waits. The first list lacks order 2, which is just being
  // sealed under another key.
  const [settled, waiting, resealed] = [orderAt(0), orderAt(1), orderAt(2)]
  const deposits = [0n, 1n, 2n].map((leaf) => settlement(leaf, 900n + leaf))
  const unexpected = settlement(UNEXPECTED, 0n)
  const world: World = {
    ...{ leaves: [0n, 1n, 2n, UNEXPECTED], deposited: 3, open: [settled, waiting] },
    transactions: [...deposits, unexpected],
  }
  const { records, round } = explaining(world)
  await round()
  // The list has order 2 again, and the service has settled order 1 with the expected leaf.
  world.leaves = [...world.leaves, 101n]
  world.open = [settled, resealed]
  world.transactions = [...deposits, unexpected, settlement(101n, 1n)]
  world.clock = START + 500n
  await round()
  await round()
  expect(records).toEqual([])
})

it('ends a balance by a proven settlement only if nodes show that its note is spent', async () => {
  // A settlement of order 1 appended the leaf `UNEXPECTED`. But a node shows a proven settlement of the balance (order
  // 0) that would append an equal leaf.
  const open = [orderAt(0, true), orderAt(1)]
  const transactions = [settlement(0n, 900n), settlement(1n, 901n), settlement(UNEXPECTED, 0n)]
  const world: World = { leaves: [0n, 1n, UNEXPECTED], deposited: 2, open, transactions }
  const { records, ended, round } = explaining(world)
  await round()
  world.spent = { nullifiers: [0n], isAlone: true }
  await round()
  expect([records, ended]).toEqual([[], []])
  world.spent = { nullifiers: [0n] }
  await round()
  expect(ended).toHaveLength(1)
})

it('records the payees of settlements that owners made, without the payees of refunds', async () => {
  const [deposit, byOwner, refund] = [
    settlement(0n, 6n),
    settlement(900n, 7n),
    settlement(901n, 8n),
  ]
  Object.assign(byOwner.appended[0]!, { paid: NATIVE_MINT })
  Object.assign(refund.appended[0]!, { paid: 'refund' })
  const { paid, round } = explaining({
    ...{ leaves: [0n, 900n, 901n], deposited: 1, open: [] },
    transactions: [deposit, byOwner, refund],
  })
  await round()
  expect(paid).toEqual([NATIVE_MINT])
})
