import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, newOrder } from './chain-of-steps.ts'
import { ACCOUNT, NOW_MS, openStores, STORE_KINDS, type Stores } from './open-stores.ts'

describe.each(STORE_KINDS)('seen deposits in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  it('forgets a dropped deposit only if its leaf is not stored', async () => {
    const orders = [newOrder(), newOrder(), newOrder()] as const
    for (const order of orders) await stores.orders.tryCreate(order, undefined)
    const [dropped, kept, stored] = orders
    const leaves = orders.map(({ leaf }) => leaf)
    await stores.settlement.markSeen(leaves, NOW_MS)
    expect(await stores.settlement.listSeen()).toEqual(expect.arrayContaining(leaves))
    await chain.record(chain.batch([stored.leaf]))
    await stores.settlement.clearSeen([dropped.leaf, stored.leaf], NOW_MS + 5)
    const seen = await Promise.all(
      orders.map(async ({ id }) => (await stores.orders.readOrder(ACCOUNT, id))!.order),
    )
    expect(seen.map(({ isDepositSeen }) => isDepositSeen)).toEqual([false, true, true])
    expect(seen.map(({ updatedAtMs }) => updatedAtMs - NOW_MS)).toEqual([5, 0, 0])
    expect(await stores.settlement.listSeen()).toContain(kept.leaf)
    expect(await stores.settlement.listSeen()).not.toContain(dropped.leaf)
    await stores.settlement.markSeen([dropped.leaf], NOW_MS + 6)
    expect(await stores.settlement.listSeen()).toContain(dropped.leaf)
  })
})
