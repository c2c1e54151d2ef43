import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { ChainOfSteps, DEADLINE, SEALED } from './chain-of-steps.ts'
import { EPOCHS, openStores, STORE_KINDS, type Stores } from './open-stores.ts'

describe.each(STORE_KINDS)('lists of open orders in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  it('show orders with a live attempt separately, until the attempt is dead', async () => {
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

  it('do not show a balance as due between the end of its first hour and its first expiry', async () => {
    const expiry = unixSeconds(DEADLINE + 86_400n)
    const balance = await chain.deposited({ expiry })
    const isListed = async (scope: 'due' | 'all') =>
      (await stores.settlement.listOpen(scope)).some(
        ({ orderId }) => Buffer.compare(orderId, balance) === 0,
      )
    const depositedAt = DEADLINE - 100n
    const seen: [bigint, boolean, boolean][] = []
    for (const time of [depositedAt + 3_599n, depositedAt + 3_600n, expiry, expiry + 1n]) {
      const batch = chain.batch([])
      await chain.record({ ...batch, head: { ...batch.head, unixSeconds: unixSeconds(time) } })
      seen.push([time - depositedAt, await isListed('due'), await isListed('all')])
    }
    expect(seen).toEqual([
      [3_599n, true, true],
      [3_600n, false, true],
      [expiry - depositedAt, false, true],
      [expiry + 1n - depositedAt, true, true],
    ])
  })
})
