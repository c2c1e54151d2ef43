import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { ChainOfSteps, DEADLINE, drawLeaf, newOrder, SEALED } from './chain-of-steps.ts'
import { SENT_SEQUENCES, sequenceOfEvent } from '../../src/domain/order-event.ts'
import {
  ACCOUNT,
  EPOCHS,
  NEW_WEBHOOK,
  NOW_MS,
  openStores,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const WEBHOOK = {
  ...{ id: 'one', accountId: ACCOUNT, url: 'https://partner.example/hook', createdAtMs: NOW_MS },
  ...NEW_WEBHOOK,
}

describe.each(STORE_KINDS)('leaves that a node invented, in %s', (kind) => {
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

  it('an order stays deposited if its leaf vanishes', async () => {
    const keep = chain.leaves
    const [invented, next] = [newOrder(), newOrder()]
    for (const order of [invented, next]) await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([invented]))
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    const rescan = { isRescan: true, keep }
    expect(await chain.record(chain.batch([next], rescan))).toBe(true)
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    // An order without a leaf can't be settled. Its deadline alone doesn't end it either, because the chain may have
    // its deposit.
    expect(await openOf(invented.id)).toBeUndefined()
    expect(await chain.claim(invented.id)).toBeUndefined()
    const step = chain.batch([])
    await chain.record({ ...step, head: { ...step.head, unixSeconds: unixSeconds(DEADLINE + 1n) } })
    expect(await chain.statusOf(invented.id)).toBe('deposited')
    expect(await chain.record(chain.batch([drawLeaf(), invented.leaf]))).toBe(true)
    expect((await openOf(invented.id))?.leafIndex).toBe(keep + 2)
  })

  it('an order can be ended after its deadline if its leaf was invented', async () => {
    await stores.webhooks.tryAdd(WEBHOOK, 1)
    const keep = chain.leaves
    const orderId = await chain.deposited()
    const lease = (await chain.claim(orderId))!
    await stores.settlement.tryJournal(lease, { kind: 'deliver', sealed: SEALED })
    // While the tree contains the order's leaf, the order can't end this way.
    expect(await stores.settlement.tryExpireVanished(orderId, NOW_MS)).toBe(false)
    await chain.record(chain.batch([drawLeaf()], { isRescan: true, keep }))
    const isListed = async (time: bigint) =>
      (await stores.settlement.listVanished(unixSeconds(time))).some(
        (one) => Buffer.compare(one.orderId, orderId) === 0 && one.deadline === DEADLINE,
      )
    expect([await isListed(DEADLINE), await isListed(DEADLINE + 1n)]).toEqual([false, true])
    expect(await stores.settlement.tryExpireVanished(orderId, NOW_MS)).toBe(true)
    expect(await stores.settlement.tryExpireVanished(orderId, NOW_MS)).toBe(false)
    expect(await isListed(DEADLINE + 1n)).toBe(false)
    const { order } = (await stores.orders.readOrder(ACCOUNT, orderId))!
    expect(order).toMatchObject({ status: 'expired', deposit: undefined })
    const events = await stores.outbox.read([
      { id: orderId, epoch: EPOCHS[0], numbers: SENT_SEQUENCES },
    ])
    expect(events.map(({ event }) => [event.status, sequenceOfEvent(event)])).toEqual([
      ['expired', 5],
      ['delivering', 3],
      ['deposited', 2],
    ])
    // The order has ended, so no worker can claim it.
    expect(await chain.claim(orderId)).toBeUndefined()
    expect(await chain.record(chain.batch([order.leaf]))).toBe(true)
    expect(await openOf(orderId)).toBeUndefined()
    expect(await chain.statusOf(orderId)).toBe('expired')
  })

  it('an order does not expire if its leaf came back or it was delivered', async () => {
    const keep = chain.leaves
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([order]))
    await chain.record(chain.batch([drawLeaf()], { isRescan: true, keep }))
    await chain.record(chain.batch([order.leaf]))
    expect(await stores.settlement.tryExpireVanished(order.id, NOW_MS)).toBe(false)
    const { id: orderId, epoch } = order
    const end = { orderId, epoch, to: 'delivered', sealedOutcome: SEALED } as const
    await stores.settlement.tryComplete({ ...end, attempt: undefined }, NOW_MS)
    await chain.record(chain.batch([drawLeaf()], { isRescan: true, keep }))
    expect(await stores.settlement.tryExpireVanished(order.id, NOW_MS)).toBe(false)
    expect(await chain.statusOf(order.id)).toBe('delivered')
  })

  it('a delivered order stays delivered if its leaf vanishes', async () => {
    const keep = chain.leaves
    const orderId = await chain.deposited()
    const sealed = { epoch: EPOCHS[0], sealedOutcome: SEALED }
    const end = { ...sealed, orderId, to: 'delivered', attempt: undefined } as const
    expect(await stores.settlement.tryComplete(end, NOW_MS)).toBe(true)
    expect(await chain.record(chain.batch([drawLeaf()], { isRescan: true, keep }))).toBe(true)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    const step = chain.batch([])
    await chain.record({ ...step, head: { ...step.head, unixSeconds: unixSeconds(DEADLINE + 1n) } })
    expect(await chain.statusOf(orderId)).toBe('delivered')
  })
})
