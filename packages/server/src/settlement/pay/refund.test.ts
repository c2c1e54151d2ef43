import { amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { decodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import { beginRefund } from './refund.ts'

it('failed deliveries do not use up what the attempts of the refund may cost', async () => {
  const begun: DeliveryPlan[] = []
  const d = {
    ...{ clock: { nowMs: () => 5 }, log: { event: () => undefined } },
    store: {
      tryBeginRefund: async (_lease: unknown, sealedPlan: Uint8Array) =>
        begun.push(decodePlan(sealedPlan)) > 0,
    },
  } as unknown as Parameters<typeof beginRefund>[0]
  const opened = {
    ...{ order: { orderId: new Uint8Array(16) }, terms: {} },
    plan: { deliverAtMs: 9_000, reason: 'not_delivered_in_time', failures: 3, cost: amount(7n) },
    secrets: { seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear },
  } as unknown as Parameters<typeof beginRefund>[1]
  await beginRefund(d, opened, {} as never)
  expect(begun).toMatchObject([{ deliverAtMs: 5, reason: 'not_delivered_in_time' }])
  expect(begun.map(({ cost, failures }) => [cost, failures])).toEqual([[undefined, undefined]])
})
