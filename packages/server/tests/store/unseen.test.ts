import { expect, it } from 'vitest'
import { newOrder } from './chain-of-steps.ts'
import { NOW_MS, openStores, OTHER_ACCOUNT, STORE_KINDS } from './open-stores.ts'

it.each(STORE_KINDS)(
  'many unpaid orders of one account keep no deposit of another from being seen, in %s',
  async (kind) => {
    const { orders, settlement, close } = await openStores(kind)
    try {
      const [paid, newest, middle, oldest] = [0, 3, 2, 1].map((after) =>
        newOrder({
          accountId: after === 0 ? OTHER_ACCOUNT : newOrder().accountId,
          createdAtMs: NOW_MS + after,
        }),
      )
      for (const one of [paid, oldest, middle, newest]) await orders.tryCreate(one!, undefined)
      const seen = await settlement.listUnseen(3)
      const expected = [newest, paid, middle].map((one) => [...one!.id])
      expect(seen.map((id) => [...id])).toEqual(expected)
    } finally {
      await close()
    }
  },
)
