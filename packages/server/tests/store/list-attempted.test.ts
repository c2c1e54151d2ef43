import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, SEALED } from './chain-of-steps.ts'
import { EPOCHS, openStores, STORE_KINDS, type Stores } from './open-stores.ts'

describe.each(STORE_KINDS)('orders with a live attempt in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  it('are listed separately, until the attempt is dead', async () => {
    const store = stores.settlement
    const orderId = await chain.deposited()
    await chain.deposited()
    const attempted = async () => (await store.listOpen('attempted')).map((order) => order.orderId)
    const lease = (await chain.claim(orderId))!
    expect(await attempted()).toEqual([])
    await store.tryJournal(lease, { kind: 'deliver', sealed: SEALED })
    expect(await attempted()).toEqual([orderId])
    await store.tryMarkDead({ orderId, epoch: EPOCHS[0] }, 1)
    expect(await attempted()).toEqual([])
  })
})
