import { amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { decodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import { attemptSettlement } from './attempt-settlement.ts'

it('makes no proof for an order whose attempts have reached their cost limit', async () => {
  const alerts: string[] = []
  const plans: DeliveryPlan[] = []
  // The dependencies have no relayer and no prover. So the test shows that the order waits before it needs a relayer or
  // a proof.
  const d = {
    ...{ clock: { nowMs: () => 5 }, log: { alert: (code: string) => alerts.push(code) } },
    prices: { floor: 0, ceiling: 4, percentile: 75, orderMax: amount(1n) },
    store: {
      readPrice: async () => ({ step: 3 }),
      tryReplacePlan: async (_lease: unknown, sealedPlan: Uint8Array) =>
        plans.push(decodePlan(sealedPlan)) > 0,
    },
  } as unknown as Parameters<typeof attemptSettlement>[0]
  const opened = {
    ...{ order: { orderId: new Uint8Array(16) }, plan: { deliverAtMs: 0, cost: amount(1n) } },
    secrets: {
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
  } as unknown as Parameters<typeof attemptSettlement>[1]
  const refused = { clock: unixSeconds(1n), end: unixSeconds(9_000n) }
  await attemptSettlement(d, opened, {} as never, {
    ...{ isRefund: false, time: unixSeconds(1n), opensAccount: false, refused },
  })
  expect(alerts).toEqual(['order_cost_at_limit'])
  expect(plans).toMatchObject([{ failures: 1, cost: amount(1n) }])
})
