import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps } from './chain-of-steps.ts'
import { NOW_MS, openStores, OTHER_MINT, STORE_KINDS, type Stores } from './open-stores.ts'

const PLAN = new Uint8Array([9, 9])

describe.each(STORE_KINDS)('plans in %s', (kind) => {
  let stores: Stores
  let store: Stores['settlement']
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    store = stores.settlement
    chain = new ChainOfSteps(stores)
    await store.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
  })
  afterAll(() => stores.close())

  const openOf = async (orderId: Uint8Array) =>
    (await store.listOpen()).find((order) => Buffer.compare(order.orderId, orderId) === 0)

  it('lets no worker replace a plan that another has replaced since it was read', async () => {
    const orderId = await chain.deposited()
    // Both workers have listed the order before either of them claims it.
    const drawn = (await openOf(orderId))!.sealedPlan
    const first = (await chain.claim(orderId))!
    expect(await store.tryReplacePlan(first, PLAN, drawn)).toBe(true)
    await store.release(first)
    const second = (await chain.claim(orderId))!
    expect(await store.tryReplacePlan(second, new Uint8Array([8]), drawn)).toBe(false)
    expect((await openOf(orderId))?.sealedPlan).toEqual(PLAN)
    expect(await store.tryReplacePlan(second, new Uint8Array([8]), PLAN)).toBe(true)
  })
})
