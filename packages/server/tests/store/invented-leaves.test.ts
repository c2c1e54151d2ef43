import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, DEADLINE, drawLeaf, newOrder } from './chain-of-steps.ts'
import { openStores, STORE_KINDS, type Stores } from './open-stores.ts'

describe.each(STORE_KINDS)('invented leaves in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  const openOf = async (orderId: Uint8Array) =>
    (await stores.settlement.listOpen()).find(
      (order) => Buffer.compare(order.orderId, orderId) === 0,
    )

  it('lets an order await its deposit again if its leaf was invented, and expires it', async () => {
    const keep = chain.leaves
    const [invented, next] = [newOrder(), newOrder()]
    for (const order of [invented, next]) await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([invented]))
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    const rescan = { isRescan: true, keep }
    expect(await chain.record(chain.batch([next], rescan))).toBe(true)
    expect(await chain.statusOf(invented.id)).toBe('awaiting_deposit')
    expect(await openOf(invented.id)).toBeUndefined()
    expect(await chain.statusOf(next.id)).toBe('deposited')
    // Its true deposit is recorded like any other.
    expect(await chain.record(chain.batch([invented]))).toBe(true)
    expect((await openOf(invented.id))?.leafIndex).toBe(keep + 1)
    await chain.record(chain.batch([drawLeaf()], { isRescan: true, keep: keep + 1 }))
    const step = chain.batch([])
    await chain.record({ ...step, head: { ...step.head, unixSeconds: DEADLINE + 1n } })
    expect(await chain.statusOf(invented.id)).toBe('expired')
  })
})
