import { wasmPoseidon } from '@sotto/poseidon'
import { NATIVE_MINT, TREE_LEVELS, amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { Outcome } from '../../ports/settlement-store.ts'
import { confirm } from './confirm.ts'
import { hasExpired } from './end-payment.ts'
import { FirstReadings } from '../notes/first-readings.ts'

const END = 10_000n
const CHANGE = 100n
/** A transaction that has the payment's payee, payout and change. */
const EQUAL: FoundSettlement = {
  ...{ isRefund: false, changeLeaf: CHANGE, payee: NATIVE_MINT, payout: amount(1n) },
  ...{ signature: 'settled', slot: 8n, unixSeconds: unixSeconds(END) },
}

interface Scene {
  /** The Nullifier's time; undefined if the node shows no Nullifier. */
  readonly atSeconds: bigint | undefined
  /** The transaction that the node shows in each round. The last entry also applies to all later rounds. */
  readonly found?: FoundSettlement | readonly (FoundSettlement | undefined)[]
  /** True if the relayer of the live attempt paid for the Nullifier. */
  readonly isSent?: boolean
  /** The index of the change in the tree. */
  readonly changeIndex?: number
  /** True if only one of several nodes shows the Nullifier. */
  readonly isAlone?: boolean
  /** True if another node shows no Nullifier. */
  readonly isContradicted?: boolean
  /** The transactions that several nodes show, one for each node. */
  readonly said?: readonly FoundSettlement[]
  /** With several nodes: the time that two of them confirm. */
  readonly confirmed?: bigint
  /** The times of the rounds, in seconds after the signature's expiry. */
  readonly rounds?: readonly bigint[]
  /** The index of the round in which nodes show the Nullifier with different contents. */
  readonly disputedIn?: number
  /** The slot up to which the tree is followed. */
  readonly cursorSlot?: bigint
}

const DAY = 86_400n
const ROUNDS = [1n, 600n, 3_600n, DAY, 30n * DAY]

/**
 * Returns the outcome of a payment that spends the note at leaf 1. The last round is a month after the expiry of the
 * payment's signature. The tree has the payment's change.
 */
async function endOf({ atSeconds, found, isSent = false, changeIndex = 2, ...nodes }: Scene) {
  const attempt = { signature: 'sent', wire: '', lastValidBlockHeight: '9', relayer: 'ours' }
  const opened = {
    ...{ leafIndex: 1, nullifier: 5n, leaf: 0n, changeLeaf: CHANGE, terms: {} },
    ...{ note: { mint: NATIVE_MINT, value: 9n, expiry: END + 86_400n } },
    payment: { payee: NATIVE_MINT, payout: 1n, fee: 0n, changeNk: 5n, validUntil: END },
    order: {
      ...{ orderId: new Uint8Array(16), status: 'delivering' },
      attempt: { number: 1, kind: 'deliver' },
    },
    secrets: {
      open: () => new TextEncoder().encode(JSON.stringify(attempt)),
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
  }
  let ended: string | undefined
  let endedAt: bigint | undefined
  let now = 0n
  const alerts = new Set<string>()
  const shown = Array.isArray(found) ? [...(found as readonly unknown[])] : [found]
  const d = {
    tree: {
      ...{ isVerified: true, size: 3 },
      leaf: (index: number) => (index === changeIndex ? CHANGE : 0n),
      has: (leaf: bigint, from: number) => leaf === CHANGE && changeIndex >= from,
      path: () => Array.from({ length: 3 * TREE_LEVELS }, () => 0n),
    },
    ...{ poseidon: wasmPoseidon, pool: { domain: new Uint8Array(32) } },
    verifier: { isProved: () => true },
    clock: { nowMs: () => 5 },
    ...{ clockMarginSeconds: undefined, firstReadings: new FirstReadings() },
    log: { alert: (code: string) => alerts.add(code), event: () => undefined },
    witness: nodes.confirmed === undefined ? undefined : { confirmed: () => nodes.confirmed },
    chain: {
      findSettlements: nodes.said && (async () => nodes.said),
      findSettlement: async () => (shown.length > 1 ? shown.shift() : shown[0]),
    },
    opener: {
      ...{ findBalance: () => undefined, openPayments: async () => [], openAll: async () => [] },
    },
    store: {
      ...{ listPayments: async () => [], listOpen: async () => [] },
      findLeaves: async () => new Map([[CHANGE, changeIndex]]),
      readCursor: async () => ({ slot: nodes.cursorSlot ?? 0n, unixSeconds: now }),
      tryComplete: async ({ to, shown: facts }: Outcome) => {
        endedAt ??= facts?.unixSeconds
        return (ended ??= to) === to
      },
    },
  } as unknown as Parameters<typeof confirm>[0] & Parameters<typeof hasExpired>[0]
  const rentPayer = isSent ? 'ours' : 'another'
  const { isAlone, isContradicted } = nodes
  const settled = { atSeconds, rentPayer, isAlone, isContradicted }
  for (const [round, seconds] of (nodes.rounds ?? ROUNDS).entries()) {
    now = END + seconds
    const head = { slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(now), nextLeaf: 2n }
    if (ended !== undefined) break
    if (round === nodes.disputedIn) {
      const disputed = { atSeconds: END, rentPayer, isDisputed: true }
      await confirm(d, opened as never, disputed as never, head)
    } else if (atSeconds !== undefined) await confirm(d, opened as never, settled as never, head)
    else if (await hasExpired(d, opened as never, undefined)) ended = 'expired'
  }
  return { ended, endedAt, alerts: [...alerts] }
}

it('counts a settlement as the payment if it landed by the signature’s expiry', async () => {
  expect((await endOf({ atSeconds: END, found: EQUAL })).ended).toBe('delivered')
  expect((await endOf({ atSeconds: END, isSent: true })).ended).toBe('delivered')
})

it('dates a payment by its Nullifier, not by the block time that a node shows', async () => {
  for (const seconds of [0n, END, 4_000_000_000n]) {
    const found = { ...EQUAL, unixSeconds: unixSeconds(seconds) }
    const { ended, endedAt } = await endOf({ atSeconds: END, found })
    expect([ended, endedAt]).toEqual(['delivered', END])
  }
})

it('completes a payment only when the tree is followed up to the payment’s slot', async () => {
  const early = { atSeconds: END, found: EQUAL, rounds: [0n] }
  expect((await endOf({ ...early, cursorSlot: EQUAL.slot - 1n })).ended).toBeUndefined()
  expect((await endOf({ ...early, cursorSlot: EQUAL.slot })).ended).toBe('delivered')
})

it('does not count a settlement as the payment if it landed after the signature’s expiry', async () => {
  const atSeconds = END + 1n
  expect(
    (await endOf({ atSeconds, found: { ...EQUAL, unixSeconds: unixSeconds(atSeconds) } })).ended,
  ).toBe('expired')
  expect((await endOf({ atSeconds, isSent: true })).ended).toBe('expired')
  expect((await endOf({ atSeconds })).ended).toBe('expired')
})

it('keeps a payment open while no node shows its transaction', async () => {
  const { ended, alerts } = await endOf({ atSeconds: END })
  expect([ended, alerts]).toEqual([undefined, ['history_missing']])
})

/**
 * The payment was ordered after this time, because a signature expires at most 1,200 seconds after its payment is
 * ordered.
 */
const START = unixSeconds(END - 1_200n)

it('does not count a settlement as the payment if it landed before the payment was ordered', async () => {
  const found = { ...EQUAL, unixSeconds: START }
  expect((await endOf({ atSeconds: START, found })).ended).toBe('expired')
  expect((await endOf({ atSeconds: START })).ended).toBe('expired')
  expect((await endOf({ atSeconds: START + 1n, found: EQUAL })).ended).toBe('delivered')
  // Our relayer pays only for payments that the owner has signed. So this payment must not expire, even if a node's
  // clock was wrong when the payment was ordered.
  expect((await endOf({ atSeconds: START, isSent: true })).ended).toBe('delivered')
})

it('expires a payment once two readings in a row have shown another settlement', async () => {
  const other = { ...EQUAL, payout: amount(2n) }
  expect((await endOf({ atSeconds: END, found: other })).ended).toBe('expired')
  const found = [other, undefined, other, undefined]
  expect((await endOf({ atSeconds: END, found })).ended).toBeUndefined()
})

it('does not expire a payment within a week if its change is in the tree but nodes show no Nullifier', async () => {
  const rounds = [1n, 600n, 3_600n, DAY, 7n * DAY - 1n]
  const shown = await endOf({ atSeconds: undefined, rounds })
  expect([shown.ended, shown.alerts]).toEqual([undefined, ['history_missing']])
  // A leaf before the note's own leaf can't be the note's change.
  const before = await endOf({ atSeconds: undefined, changeIndex: 0 })
  expect([before.ended, before.alerts]).toEqual(['expired', []])
})

it('expires a payment with its change in the tree, but no Nullifier, a week after its signature expired', async () => {
  const denied = await endOf({ atSeconds: undefined, rounds: [1n, 6n * DAY, 7n * DAY] })
  expect([denied.ended, denied.alerts]).toEqual(['expired', ['history_missing']])
})

it('after a worker’s start, expires a payment only when nodes have shown no Nullifier for a day', async () => {
  const late = 30n * DAY
  expect((await endOf({ atSeconds: undefined, rounds: [late] })).ended).toBeUndefined()
  const readings = { atSeconds: undefined, rounds: [late, late + DAY - 1n] }
  expect((await endOf(readings)).ended).toBeUndefined()
  expect((await endOf({ ...readings, rounds: [late, late + DAY] })).ended).toBe('expired')
})

it('after a node has shown the Nullifier, expires a payment only after another day without it', async () => {
  const rounds = [1n, 6n * DAY, 7n * DAY]
  const readings = { atSeconds: undefined, said: [], rounds, disputedIn: 1 }
  expect((await endOf(readings)).ended).toBeUndefined()
  expect((await endOf({ ...readings, rounds: [...rounds, 8n * DAY] })).ended).toBe('expired')
})

it('does not expire a payment if only one of several nodes shows another settlement', async () => {
  // The Nullifier's time is after the signature's expiry.
  const late = { atSeconds: END + 1n, isSent: true }
  expect((await endOf(late)).ended).toBe('expired')
  const lone = await endOf({ ...late, isAlone: true })
  expect([lone.ended, lone.alerts]).toEqual([undefined, ['history_missing']])
  // The node denies the payment by showing another transaction.
  const other = { ...EQUAL, payout: amount(2n) }
  const denied = { atSeconds: END, found: other }
  expect((await endOf({ ...denied, said: [other, other] })).ended).toBe('expired')
  const disputed = await endOf({ ...denied, said: [other, EQUAL] })
  expect([disputed.ended, disputed.alerts]).toEqual([undefined, ['nodes_disagree']])
  const alone = await endOf({ ...denied, said: [other] })
  expect([alone.ended, alone.alerts]).toEqual([undefined, ['history_missing']])
  const outvoted = await endOf({ ...denied, said: [other, other, EQUAL, EQUAL] })
  expect(outvoted.ended).toBeUndefined()
  // The node denies the payment by hiding the payment's leaf.
  const hidden = { atSeconds: undefined, changeIndex: 0 }
  expect((await endOf({ ...hidden, confirmed: END + 1n })).ended).toBe('expired')
  expect((await endOf({ ...hidden, confirmed: END })).ended).toBeUndefined()
})

/** Another payment of the same note, with the same change. The owner can prove it at any time. */
const PROVEN: FoundSettlement = {
  ...{ ...EQUAL, payout: amount(2n), signature: 'another' },
  shown: {
    ...{ nullifier: 5n, changeLeaf: CHANGE, root: { kind: 'recent', index: 0 }, isRefund: false },
    ...{ mint: NATIVE_MINT, payee: NATIVE_MINT, payout: amount(2n), fee: amount(0n) },
    time: unixSeconds(END),
  } as unknown as NonNullable<FoundSettlement['shown']>,
}

it('does not expire a payment if only one of several nodes shows another settlement with a valid proof', async () => {
  const denied = { atSeconds: END, found: PROVEN }
  expect((await endOf(denied)).ended).toBe('expired')
  expect((await endOf({ ...denied, said: [PROVEN, PROVEN] })).ended).toBe('expired')
  const disputed = await endOf({ ...denied, said: [PROVEN, EQUAL] })
  expect([disputed.ended, disputed.alerts]).toEqual([undefined, ['nodes_disagree']])
  const alone = await endOf({ ...denied, said: [PROVEN] })
  expect([alone.ended, alone.alerts]).toEqual([undefined, ['history_missing']])
})

it('if another wallet sent a payment, completes it only when two of several nodes show it', async () => {
  const sent = { atSeconds: END, found: EQUAL }
  expect((await endOf({ ...sent, said: [EQUAL, EQUAL] })).ended).toBe('delivered')
  const disputed = await endOf({ ...sent, said: [EQUAL, PROVEN] })
  expect([disputed.ended, disputed.alerts]).toEqual([undefined, ['nodes_disagree']])
  expect((await endOf({ ...sent, said: [EQUAL] })).ended).toBeUndefined()
  // Our relayer paid for the Nullifier, so the payment that landed is ours.
  const own = { ...sent, isSent: true, isAlone: true }
  expect((await endOf({ ...own, said: [EQUAL] })).ended).toBe('delivered')
  // Only one node shows that our relayer paid, and another node shows no Nullifier.
  const contradicted = { ...own, isContradicted: true }
  expect((await endOf({ ...contradicted, said: [EQUAL] })).ended).toBeUndefined()
  expect((await endOf({ ...contradicted, said: [EQUAL, EQUAL] })).ended).toBe('delivered')
})
