import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { ChainOfSteps, DEADLINE, newOrder, SEALED } from './chain-of-steps.ts'
import { ACCOUNT, NOW_MS, openStores, STORE_KINDS, type Stores } from './open-stores.ts'

const HOUR_MS = 3_600_000

async function expectDated({ orders }: Stores, orderId: Uint8Array, status: string): Promise<void> {
  const { order } = (await orders.readOrder(ACCOUNT, orderId))!
  expect(order.status).toBe(status)
  expect(order.updatedAtMs).toBeGreaterThanOrEqual(order.createdAtMs)
}

it.each(STORE_KINDS)(
  'no change is dated before its order was made, even with wrong clocks, in %s',
  async (kind) => {
    const stores = await openStores(kind)
    const chain = await ChainOfSteps.begin(stores)
    const unpaid: Uint8Array[] = []
    // The time at which an order ended is stored only as the start of that hour. The API and the worker have different
    // clocks.
    const offset = fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS })
    try {
      await fc.assert(
        fc.asyncProperty(offset, offset, fc.boolean(), async (madeAt, changedAt, isPaid) => {
          const order = newOrder({ createdAtMs: NOW_MS + madeAt })
          await stores.orders.tryCreate(order, undefined)
          if (!isPaid) return void unpaid.push(order.id)
          await chain.record(chain.batch([order]), NOW_MS + changedAt)
          await expectDated(stores, order.id, 'deposited')
          const { id: orderId, epoch } = order
          const end = { orderId, epoch, sealedOutcome: SEALED, attempt: undefined }
          await stores.settlement.tryComplete({ ...end, to: 'delivered' }, NOW_MS + changedAt)
          await expectDated(stores, order.id, 'delivered')
        }),
        {
          numRuns: 8,
          examples: [
            [1_400_000, 1_500_000, true],
            [1_400_000, 1_500_000, false],
          ],
        },
      )
      const { head, ...batch } = chain.batch([])
      await chain.record(
        { ...batch, head: { ...head, unixSeconds: unixSeconds(DEADLINE + 1n) } },
        NOW_MS,
      )
      for (const orderId of unpaid) await expectDated(stores, orderId, 'expired')
    } finally {
      await stores.close()
    }
  },
)
