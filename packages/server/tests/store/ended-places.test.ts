import { unixSeconds, type UnixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEADLINE, newOrder } from './chain-of-steps.ts'
import { newPayment } from './new-payment.ts'
import { openStores, STORE_KINDS, type Stores } from './open-stores.ts'

const LATER = unixSeconds(DEADLINE + 1n)

describe.each(STORE_KINDS)('unpaid orders in %s', (kind) => {
  let stores: Stores
  beforeAll(async () => {
    stores = await openStores(kind)
  })
  afterAll(() => stores.close())

  it.each([
    ['deposits', 'with-deposits'],
    ['signatures', 'with-signatures'],
  ] as const)(
    'that can’t get their %s any more occupy no places, even if they haven’t expired yet',
    async (awaited, accountId) => {
      await stores.addAccount(accountId)
      const { orders } = stores
      const make = (validUntil: UnixSeconds, endedBefore: UnixSeconds) =>
        awaited === 'deposits'
          ? orders.tryCreate(newOrder({ accountId, validUntil }), {
              ...{ ordersMax: 2, swap: undefined, endedBefore },
            })
          : orders.tryCreatePayment(newPayment({ accountId, validUntil }), 2, endedBefore)
      for (let count = 0; count < 2; count += 1)
        expect(await make(DEADLINE, DEADLINE)).toBe('created')
      expect(await make(LATER, DEADLINE)).toBe('too_many_unpaid')
      // While only one of several nodes answers, no order expires.
      for (let count = 0; count < 2; count += 1) expect(await make(LATER, LATER)).toBe('created')
      expect(await make(LATER, LATER)).toBe('too_many_unpaid')
    },
  )
})
