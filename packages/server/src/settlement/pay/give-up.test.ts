import { NATIVE_MINT, unixSeconds, amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { decodeOutcome } from '../../domain/order-secrets.ts'
import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { Outcome } from '../../ports/settlement-store.ts'
import { giveUp } from './give-up.ts'

const MINT = 'So11111111111111111111111111111111111111112'
const FOUND: FoundSettlement = {
  ...{
    isRefund: false,
    changeLeaf: 3n,
    signature: 'settled',
    slot: 8n,
    unixSeconds: unixSeconds(900n),
  },
  ...{ payee: NATIVE_MINT, payout: amount(1n) },
}

/**
 * Gives up a note of value 9 whose recipient gets 7. The chain's history has the settlement `found`. `said` has the
 * settlements that several nodes show, one from each node.
 */
async function given(
  found: FoundSettlement | undefined,
  leaves: readonly bigint[] = [2n, 3n],
  said?: readonly FoundSettlement[],
  status = 'deposited',
  cursorSlot = FOUND.slot,
) {
  const completed: Outcome[] = []
  const alerts: string[] = []
  const d = {
    chain: { findSettlement: async () => found, findSettlements: said && (async () => said) },
    clock: { nowMs: () => 5 },
    log: { alert: (code: string) => alerts.push(code), event: () => undefined },
    tree: { isVerified: true, size: leaves.length, leaf: (index: number) => leaves[index] },
    store: {
      tryComplete: async (order: Outcome) => completed.push(order) > 0,
      readCursor: async () => ({ slot: cursorSlot, unixSeconds: unixSeconds(800n) }),
      readExplained: async () => ({ nextLeaf: 0, slot: 0n, ownerChanges: 0 }),
      findLeaves: async () => new Map(leaves.map((leaf, index) => [leaf, index])),
    },
    unclaimed: { rest: () => undefined },
  } as unknown as Parameters<typeof giveUp>[0]
  const opened = {
    order: { orderId: new Uint8Array(16), status, amountOut: 7n },
    terms: {},
    leafIndex: 0,
    secrets: {
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
    note: { mint: MINT, value: 9n, expiry: 1_000n },
    plan: { deliverAtMs: 0 },
    nullifier: 1n,
  } as unknown as Parameters<typeof giveUp>[1]
  await giveUp(d, opened)
  const outcomes = completed.map(({ to, sealedOutcome }) => [to, decodeOutcome(sealedOutcome!)])
  return { outcomes, alerts }
}

it('I2: ends a note as delivered if it was delivered before its Nullifier was closed', async () => {
  const { outcomes, alerts } = await given(FOUND)
  // The followed clock is at 800, so the settlement can't have landed at 900.
  const facts = { signature: 'settled', slot: 8n, unixSeconds: 800n, assetId: MINT }
  expect(outcomes).toEqual([['delivered', { ...facts, kind: 'delivery', amount: 7n }]])
  expect(alerts).toEqual([])
})

it('I2: ends a note as refunded if it was refunded before its Nullifier was closed', async () => {
  const { outcomes } = await given({ ...FOUND, isRefund: true, unixSeconds: unixSeconds(1_100n) })
  expect(outcomes).toHaveLength(1)
  expect(outcomes[0]).toMatchObject(['refunded', { kind: 'refund', amount: 9n }])
})

it('raises an alert if the history has no settlement of the note', async () => {
  expect(await given(undefined)).toEqual({ outcomes: [], alerts: ['note_unclaimed'] })
})

it('ends a note only when the tree is followed up to its settlement', async () => {
  const early = await given(FOUND, undefined, undefined, undefined, 7n)
  expect(early).toEqual({ outcomes: [], alerts: ['note_unclaimed'] })
})

it('ends no order by a transaction if the tree lacks the transaction’s leaf', async () => {
  const expected = { outcomes: [], alerts: ['note_unclaimed'] }
  expect(await given(FOUND, [2n, 4n])).toEqual(expected)
  // A leaf before the note's own leaf can't be the leaf of the note's settlement.
  expect(await given({ ...FOUND, changeLeaf: 2n })).toEqual(expected)
})

it('ends no note by the history of only one of several nodes', async () => {
  const { outcomes, alerts } = await given(FOUND, [2n, 3n], [FOUND])
  expect([outcomes, alerts]).toEqual([[], ['history_missing', 'note_unclaimed']])
  const refund = { ...FOUND, isRefund: true, signature: 'other' }
  expect((await given(FOUND, [2n, 3n], [FOUND, refund])).outcomes).toEqual([])
  expect((await given(FOUND, [2n, 3n], [FOUND, FOUND])).outcomes).toHaveLength(1)
})

it('does not turn a refund that has begun into a delivery by a single node’s history', async () => {
  const endsOf = async (found: FoundSettlement, said?: readonly FoundSettlement[]) =>
    (await given(found, [2n, 3n], said, 'refunding')).outcomes.map(([to]) => to)
  expect(await endsOf(FOUND)).toEqual([])
  expect(await endsOf({ ...FOUND, isRefund: true })).toEqual(['refunded'])
  expect(await endsOf(FOUND, [FOUND, FOUND])).toEqual(['delivered'])
})
