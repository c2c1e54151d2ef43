import { amount, lastRefundClock, NATIVE_MINT, walletMinimum } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { decodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import type { PayeeState } from '../../ports/settlement-chain.ts'
import { beginRefund, refund } from './refund.ts'

const CHANGE = 100n
const EXPIRY = 6_000n

interface Scene {
  readonly isVerified: boolean
  /** The leaves in the database. */
  readonly stored: readonly bigint[]
  /** The time up to which two nodes confirm the tree. */
  readonly confirmed: bigint
}

/**
 * Calls `beginRefund` for the note at leaf 1 of a tree with these leaves. `begun` has the plans of refunds that were
 * begun. `tried` has the plans of refunds that are tried without being begun.
 */
async function begin(leaves: readonly bigint[], scene: Partial<Scene> = {}) {
  const { isVerified = true, stored = leaves, confirmed = EXPIRY + 1n } = scene
  const begun: DeliveryPlan[] = []
  const tried: DeliveryPlan[] = []
  const alerts: string[] = []
  const d = {
    clock: { nowMs: () => 5 },
    log: { event: () => undefined, alert: (code: string) => alerts.push(code) },
    tree: {
      ...{ isVerified, followedAt: EXPIRY + 1n },
      has: (leaf: bigint, from: number) => leaves.includes(leaf, from),
    },
    witness: { confirmed: () => confirmed },
    store: {
      findLeaves: async ([leaf = 0n]: bigint[]) =>
        new Map(stored.includes(leaf) ? [[leaf, stored.indexOf(leaf)]] : []),
      tryBeginRefund: async (_lease: unknown, sealedPlan: Uint8Array) =>
        begun.push(decodePlan(sealedPlan)) > 0,
      tryReplacePlan: async (_lease: unknown, sealedPlan: Uint8Array) =>
        tried.push(decodePlan(sealedPlan)) > 0,
    },
  } as unknown as Parameters<typeof beginRefund>[0]
  const opened = {
    ...{ order: { orderId: new Uint8Array(16) }, terms: {}, leafIndex: 1, changeLeaf: CHANGE },
    note: { expiry: EXPIRY },
    plan: { deliverAtMs: 9_000, reason: 'not_delivered_in_time', failures: 3, cost: amount(7n) },
    secrets: {
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
  } as unknown as Parameters<typeof beginRefund>[1]
  await beginRefund(d, opened, {} as never)
  return { begun, tried, alerts }
}

it('tries the refund without beginning it if the tree already has the leaf of the note’s settlement', async () => {
  // The settlement of another note can append an equal leaf. So the leaf doesn't prove that the nodes hid a Nullifier:
  // the refund is tried, and no alert is raised.
  const plan = { deliverAtMs: 5, reason: 'not_delivered_in_time', isRefundTried: true }
  expect(await begin([0n, 1n, CHANGE])).toEqual({ begun: [], tried: [plan], alerts: [] })
  // A leaf before the note's own leaf can't come from the note's settlement.
  expect((await begin([CHANGE, 1n])).begun).toHaveLength(1)
})

it('I10: begins no refund if the tree or the database has the leaf of the note’s settlement', async () => {
  // Another worker's node may have shown it false leaves, which replaced the true ones in the database.
  const inTree = await begin([0n, 1n, CHANGE], { stored: [0n, 1n, 99n] })
  expect([inTree.begun.length, inTree.tried.length]).toEqual([0, 1])
  const inDatabase = await begin([0n, 1n, 99n], { stored: [0n, 1n, CHANGE] })
  expect([inDatabase.begun.length, inDatabase.tried.length]).toEqual([0, 1])
})

it('I10: begins no refund while no two nodes confirm the tree up to the note’s expiry', async () => {
  const none = { begun: [], tried: [], alerts: [] }
  expect(await begin([0n, 1n], { confirmed: EXPIRY })).toEqual(none)
  expect(await begin([0n, 1n], { isVerified: false })).toEqual(none)
})

it('starts the refund’s costs at zero, without the cost of the failed deliveries', async () => {
  const { begun } = await begin([0n, 1n])
  expect(begun).toMatchObject([{ deliverAtMs: 5, reason: 'not_delivered_in_time' }])
  expect(begun.map(({ cost, failures }) => [cost, failures])).toEqual([[undefined, undefined]])
})

const LAMPORTS_PER_BYTE = 6_960n
const LEAST = walletMinimum(LAMPORTS_PER_BYTE)
const SIGNED = new Error('the refund was signed')

/**
 * Refunds a note some seconds before the end of the refund window. Returns the new plan if the refund must wait, and the
 * error `SIGNED` if the refund is signed.
 */
async function outcomeOf(
  state: PayeeState,
  { mint = 'mint', value = LEAST, secondsLeft = 86_400n, hasWitnesses = false } = {},
) {
  const plans: DeliveryPlan[] = []
  const alerts: string[] = []
  const relayer = { address: 'relayer' }
  let proofs = 0
  const d = {
    prices: { floor: 0, ceiling: 4, percentile: 75, orderMax: amount(1_000_000n) },
    relayers: [relayer],
    random: { below: () => 0 },
    ...{ clock: { nowMs: () => 0 }, log: { alert: (code: string) => alerts.push(code) } },
    store: {
      readPrice: async () => ({ step: 0 }),
      tryReplacePlan: async (_lease: unknown, sealedPlan: Uint8Array) =>
        plans.push(decodePlan(sealedPlan)) > 0,
    },
    tree: { size: 1, locate: () => ({}), leaf: () => 5n },
    proofs: { find: () => ({ isProof: (proofs += 1) > 0 }) },
    chain: {
      hasWitnesses,
      readClock: async () => lastRefundClock(EXPIRY) - secondsLeft,
      readPayee: async () => state,
      readBalances: async (wallets: readonly unknown[]) => ({
        balances: wallets.map(() => 10n ** 12n),
        lamportsPerByte: LAMPORTS_PER_BYTE,
      }),
      sign: () => Promise.reject(SIGNED),
    },
  } as unknown as Parameters<typeof refund>[0]
  const opened = {
    ...{ order: { orderId: new Uint8Array(16) }, plan: { deliverAtMs: 0 }, leaf: 5n, leafIndex: 0 },
    ...{ terms: {}, note: { mint, value, sender: 'sender', expiry: EXPIRY } },
    secrets: {
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
  } as unknown as Parameters<typeof refund>[1]
  const failure = await refund(d, opened, {} as never).catch((error: unknown) => error)
  return { failure, plan: plans[0], proofs, waits: alerts.includes('sender_not_payable') }
}

it.each([
  ['has no token account', 'absent', {}],
  ['has a token account that can’t be paid', 'blocked', {}],
  ['has a wallet that can’t be paid', 'blocked', { mint: NATIVE_MINT }],
  ['has no wallet for so few lamports', 'absent', { mint: NATIVE_MINT, value: amount(LEAST - 1n) }],
] as const)(
  'waits for the account of a sender who %s, without a proof and without reserved lamports',
  async (_, state, note) => {
    expect(await outcomeOf(state, note)).toMatchObject({
      ...{ failure: undefined, proofs: 0, waits: true },
      // `watchRelayers` reserves nothing for a refund with this plan.
      plan: { waitsFor: 'sender_account', failures: 1 },
    })
  },
)

it('pays a sender whose wallet has no account if the refund reaches the minimum of a wallet', async () => {
  for (const [state, mint] of [
    ['absent', NATIVE_MINT],
    ['payable', 'mint'],
  ] as const) {
    expect(await outcomeOf(state, { mint })).toMatchObject({ failure: SIGNED, plan: undefined })
  }
  const few = { mint: NATIVE_MINT, value: amount(1n) }
  expect(await outcomeOf('payable', few)).toMatchObject({ failure: SIGNED })
})

it('does not depend on the minimum that one of several nodes shows in its last try', async () => {
  const few = { mint: NATIVE_MINT, value: amount(LEAST - 1n), hasWitnesses: true }
  expect(await outcomeOf('absent', few)).toMatchObject({ failure: undefined, waits: true })
  // The simulation of the last try asks all nodes.
  const last = { ...few, secondsLeft: 300n }
  expect(await outcomeOf('absent', last)).toMatchObject({ failure: SIGNED, plan: undefined })
  const alone = { ...last, hasWitnesses: false }
  expect(await outcomeOf('absent', alone)).toMatchObject({ failure: undefined, waits: true })
})
