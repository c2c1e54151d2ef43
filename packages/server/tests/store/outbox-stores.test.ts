import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sequenceOf } from '../../src/domain/order-event.ts'
import type { Webhook } from '../../src/ports/webhook-store.ts'
import { newSend } from '../../src/notify/deliver-webhooks.ts'
import { ChainOfSteps, DEADLINE, newOrder, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_ACCOUNT,
  OTHER_MINT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const LEASE_MS = 1_000
const HOUR_MS = 3_600_000
const webhook = (id: string, accountId: string): Webhook => ({
  ...{ id, accountId, url: 'https://partner.example/hook', createdAtMs: NOW_MS },
  ...{ disabledAtMs: undefined, secretVersion: 1, overlapUntilMs: undefined },
})

describe.each(STORE_KINDS)('the outbox in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = new ChainOfSteps(stores)
    await stores.settlement.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
  })
  afterAll(() => stores.close())

  const read = (id: Uint8Array) => stores.outbox.read([{ id, epoch: EPOCHS[0] }])
  const statuses = async (id: Uint8Array) => (await read(id)).map(({ event }) => event.status)
  const claim = (nowMs: number) => stores.outbox.claimDue(nowMs, LEASE_MS, 100)
  const complete = (orderId: Uint8Array, to: 'delivered' | 'refunded') =>
    stores.settlement.tryComplete(
      { orderId, to, sealedOutcome: SEALED, attempt: undefined },
      NOW_MS,
    )

  it('holds nothing of accounts without an endpoint, and tells streams all the same', async () => {
    const id = await chain.deposited()
    await complete(id, 'delivered')
    expect(await read(id)).toEqual([])
    const names = await stores.outbox.namesOf({ id, epoch: EPOCHS[0] })
    expect(stores.told.filter((name) => names.includes(name))).toHaveLength(2)
    expect(await claim(NOW_MS)).toEqual([])
  })

  it('counts no more endpoints than an account may have, and each account its own', async () => {
    expect(await stores.webhooks.tryAdd(webhook('one', ACCOUNT), 1)).toBe(true)
    expect(await stores.webhooks.tryAdd(webhook('two', ACCOUNT), 1)).toBe(false)
    expect(await stores.webhooks.tryAdd(webhook('two', OTHER_ACCOUNT), 1)).toBe(true)
    expect(await stores.webhooks.list(ACCOUNT)).toEqual([webhook('one', ACCOUNT)])
    expect(await stores.webhooks.remove(ACCOUNT, 'two')).toBe(false)
    expect(await stores.webhooks.tryRotate(ACCOUNT, 'two', NOW_MS)).toBeUndefined()
    expect(await stores.webhooks.tryEnable(ACCOUNT, 'two')).toBeUndefined()
  })

  it('gets each change of a life once, in a rising sequence', async () => {
    const reference = 'invoice 7'
    const id = await chain.deposited({ reference })
    const lease = (await chain.claim(id))!
    const deliver = { kind: 'deliver', sealed: SEALED } as const
    await stores.settlement.tryJournal(lease, deliver)
    await stores.settlement.tryMarkDead(id, 1)
    // A second attempt is no other status.
    await stores.settlement.tryJournal(lease, deliver)
    await stores.settlement.tryMarkDead(id, 2)
    await stores.settlement.tryBeginRefund(lease, SEALED, NOW_MS)
    await complete(id, 'refunded')
    expect(await statuses(id)).toEqual(['refunded', 'refunding', 'delivering', 'deposited'])
    const stored = await read(id)
    const sequences = stored.map(({ event }) => sequenceOf(event.status))
    expect(sequences).toEqual([...sequences].sort((left, right) => right - left))
    expect(stored[0]!.event).toEqual({
      ...{ orderId: id, accountId: ACCOUNT, status: 'refunded', reference },
      ...{ atMs: NOW_MS, sends: undefined },
    })
  })

  it('gets nothing of a write that was refused', async () => {
    const id = await chain.deposited()
    await complete(id, 'delivered')
    expect(await complete(id, 'refunded')).toBe(false)
    expect(await statuses(id)).toEqual(['delivered', 'deposited'])
  })

  it('gets the end of an order that nobody paid for', async () => {
    const order = newOrder({ deadline: DEADLINE - 200n })
    await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([]))
    expect(await chain.statusOf(order.id)).toBe('expired')
    expect(await statuses(order.id)).toEqual(['expired'])
  })

  it('gives a change to one worker at a time, and to another once the lease has ended', async () => {
    await claim(NOW_MS - 10 * LEASE_MS)
    const first = await claim(NOW_MS)
    expect(first.length).toBeGreaterThan(4)
    expect(await claim(NOW_MS + LEASE_MS - 1)).toEqual([])
    const second = await claim(NOW_MS + LEASE_MS)
    expect(second).toHaveLength(first.length)
    const stale = first.find(({ name }) => name === second[0]!.name)!
    expect(await stores.outbox.tryKeep(stale, [], undefined)).toBe(false)
    const sends = [{ ...newSend('one', NOW_MS), lastStatus: 500, nextAtMs: NOW_MS + HOUR_MS }]
    expect(await stores.outbox.tryKeep(second[0]!, sends, NOW_MS + HOUR_MS)).toBe(true)
    for (const one of second.slice(1)) await stores.outbox.tryKeep(one, [], undefined)
    expect(await claim(NOW_MS + 10 * LEASE_MS)).toEqual([])
    const [due, ...none] = await claim(NOW_MS + HOUR_MS)
    expect([due?.event.sends, none]).toEqual([sends, []])
    // A time that a clock far ahead wrote holds nothing back.
    await stores.outbox.tryKeep(due!, sends, NOW_MS + 1_000 * HOUR_MS)
    expect(await claim(NOW_MS)).toHaveLength(1)
  })

  it('gives nothing any more once the key has died, and its rows go with their hour', async () => {
    const id = await chain.deposited()
    expect(await statuses(id)).toEqual(['deposited'])
    await stores.settlement.dropSettled(NOW_MS - HOUR_MS)
    expect(await statuses(id)).toEqual(['deposited'])
    if (stores.secrets !== undefined) {
      await stores.secrets.destroy(EPOCHS[0])
      expect(await read(id)).toEqual([])
      expect(await claim(NOW_MS + 2 * LEASE_MS)).toEqual([])
    }
    await stores.settlement.dropSettled(NOW_MS + HOUR_MS)
    expect(await read(id)).toEqual([])
    expect(await claim(NOW_MS + 9 * LEASE_MS)).toEqual([])
  })
})
