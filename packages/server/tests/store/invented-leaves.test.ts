import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, DEADLINE, drawLeaf, newOrder, SEALED } from './chain-of-steps.ts'
import { NOW_MS, openStores, STORE_KINDS, type Stores } from './open-stores.ts'

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

  it('keeps the status deposited of an order whose leaf vanished, and gives the order a place once the leaf returns', async () => {
    const keep = chain.leaves
    const [invented, next] = [newOrder(), newOrder()]
    for (const order of [invented, next]) await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([invented]))
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    const rescan = { isRescan: true, keep }
    expect(await chain.record(chain.batch([next], rescan))).toBe(true)
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    // Without a leaf, the order isn't paid. No clock ends it either, because the chain may have its deposit.
    expect(await openOf(invented.id)).toBeUndefined()
    expect(await chain.claim(invented.id)).toBeUndefined()
    const step = chain.batch([])
    await chain.record({ ...step, head: { ...step.head, unixSeconds: DEADLINE + 1n } })
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    expect(await chain.record(chain.batch([drawLeaf(), invented.leaf]))).toBe(true)
    expect((await openOf(invented.id))?.leafIndex).toBe(keep + 2)
  })

  it('keeps the status delivered of an order whose leaf vanished, before and after all deadlines', async () => {
    const keep = chain.leaves
    const orderId = await chain.deposited()
    const end = { orderId, to: 'delivered', sealedOutcome: SEALED, attempt: undefined } as const
    expect(await stores.settlement.tryComplete(end, NOW_MS)).toBe(true)
    expect(await chain.record(chain.batch([drawLeaf()], { isRescan: true, keep }))).toBe(true)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    const step = chain.batch([])
    await chain.record({ ...step, head: { ...step.head, unixSeconds: DEADLINE + 1n } })
    expect(await chain.statusOf(orderId)).toBe('delivered')
  })
})
