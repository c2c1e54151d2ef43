import { amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { decodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import { beginRefund } from './refund.ts'

const CHANGE = 100n

/**
 * Calls `beginRefund` for the note at leaf 1. `begun` has the plans of refunds that were begun. `tried` has the plans
 * of refunds that are tried without being begun.
 */
async function begin(leaves: readonly bigint[], isVerified = true) {
  const begun: DeliveryPlan[] = []
  const tried: DeliveryPlan[] = []
  const alerts: string[] = []
  const d = {
    clock: { nowMs: () => 5 },
    log: { event: () => undefined, alert: (code: string) => alerts.push(code) },
    tree: { isVerified, leaf: (index: number) => leaves[index] },
    store: {
      findLeaves: async ([leaf = 0n]: bigint[]) =>
        new Map(leaves.includes(leaf) ? [[leaf, leaves.indexOf(leaf)]] : []),
      tryBeginRefund: async (_lease: unknown, sealedPlan: Uint8Array) =>
        begun.push(decodePlan(sealedPlan)) > 0,
      tryReplacePlan: async (_lease: unknown, sealedPlan: Uint8Array) =>
        tried.push(decodePlan(sealedPlan)) > 0,
    },
  } as unknown as Parameters<typeof beginRefund>[0]
  const opened = {
    ...{ order: { orderId: new Uint8Array(16) }, terms: {}, leafIndex: 1, changeLeaf: CHANGE },
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
  // A leaf before the note's own leaf can't come from the note's settlement. Leaves that no root confirms prove
  // nothing.
  expect((await begin([CHANGE, 1n])).begun).toHaveLength(1)
  expect((await begin([0n, 1n, CHANGE], false)).begun).toHaveLength(1)
})

it('starts the refund’s costs at zero, without the cost of the failed deliveries', async () => {
  const { begun } = await begin([0n, 1n])
  expect(begun).toMatchObject([{ deliverAtMs: 5, reason: 'not_delivered_in_time' }])
  expect(begun.map(({ cost, failures }) => [cost, failures])).toEqual([[undefined, undefined]])
})
