import { unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MESSAGE_NUMBERS, sequenceOf } from '../../src/domain/order-event.ts'
import { POLLS, pauseAfter } from '../../src/domain/webhook-retries.ts'
import type { DeliveryPoll } from '../../src/ports/outbox-store.ts'
import type { Webhook } from '../../src/ports/webhook-store.ts'
import { newSend } from '../../src/notify/deliver-webhooks.ts'
import { ChainOfSteps, DEADLINE, newOrder, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  EPOCHS,
  NEW_WEBHOOK,
  NOW_MS,
  openStores,
  OTHER_ACCOUNT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const HOUR_MS = 3_600_000
const HOUR_START_MS = NOW_MS - (NOW_MS % HOUR_MS)
const webhook = (id: string, accountId: string): Webhook => ({
  ...{ id, accountId, url: 'https://partner.example/hook', createdAtMs: NOW_MS },
  ...NEW_WEBHOOK,
})

describe.each(STORE_KINDS)('the outbox in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  const read = (id: Uint8Array, numbers = MESSAGE_NUMBERS) =>
    stores.outbox.read([{ id, epoch: EPOCHS[0], numbers }])
  const statuses = async (id: Uint8Array) => (await read(id)).map(({ event }) => event.status)
  const claim = (nowMs: number) => stores.outbox.claimDue(nowMs, 100)
  const complete = (orderId: Uint8Array, to: 'delivered' | 'refunded') =>
    stores.settlement.tryComplete(
      { orderId, epoch: EPOCHS[0], to, sealedOutcome: SEALED, attempt: undefined },
      NOW_MS,
    )

  const isOf = (held: DeliveryPoll['held'], id: Uint8Array) =>
    typeof held !== 'string' && Buffer.compare(held.event.orderId, id) === 0

  /** The sealed content of each row by the row's name, both in hex. */
  const sealedOf = async () =>
    new Map(
      (
        await stores.database!.query<{ name: string; sealed: string }>(
          `SELECT encode(name, 'hex') AS name, encode(sealed, 'hex') AS sealed FROM outbox`,
          [],
        )
      ).map(({ name, sealed }) => [name, sealed]),
    )

  it('stores nothing while no account has an endpoint', async () => {
    const id = await chain.deposited()
    await complete(id, 'delivered')
    expect(await read(id)).toEqual([])
    const names = await stores.outbox.namesOf({ id, epoch: EPOCHS[0] })
    expect(stores.told.filter((name) => names.includes(name))).toHaveLength(2)
    expect(await claim(NOW_MS)).toEqual([])
  })

  it('limits the endpoints of each account separately', async () => {
    expect(await stores.webhooks.tryAdd(webhook('one', ACCOUNT), 1)).toBe(true)
    expect(await stores.webhooks.tryAdd(webhook('two', ACCOUNT), 1)).toBe(false)
    expect(await stores.webhooks.tryAdd(webhook('two', OTHER_ACCOUNT), 1)).toBe(true)
    expect(await stores.webhooks.list(ACCOUNT)).toEqual([webhook('one', ACCOUNT)])
    expect(await stores.webhooks.remove(ACCOUNT, 'two')).toBe(false)
    expect(await stores.webhooks.tryRotate(ACCOUNT, 'two', NOW_MS)).toBeUndefined()
    expect(await stores.webhooks.tryEnable(ACCOUNT, 'two')).toBeUndefined()
  })

  it("stores every account's changes only while any account has an endpoint", async () => {
    expect(await stores.webhooks.remove(ACCOUNT, 'one')).toBe(true)
    const id = await chain.deposited()
    expect(await statuses(id)).toEqual(['deposited'])
    await stores.webhooks.disable({ id: 'two', timesEnabled: 0 }, HOUR_START_MS)
    await complete(id, 'delivered')
    expect(await statuses(id)).toEqual(['deposited'])
    await stores.webhooks.tryEnable(OTHER_ACCOUNT, 'two')
    await stores.webhooks.tryAdd(webhook('one', ACCOUNT), 1)
  })

  it('disables no endpoint that was enabled since it was read', async () => {
    const two = async () => (await stores.webhooks.list(OTHER_ACCOUNT))[0]!
    const read = await two()
    await stores.webhooks.tryEnable(OTHER_ACCOUNT, 'two')
    await stores.webhooks.disable(read, HOUR_START_MS)
    expect((await two()).disabledAtMs).toBeUndefined()
    await stores.webhooks.disable(await two(), HOUR_START_MS)
    expect((await two()).disabledAtMs).toBe(HOUR_START_MS)
    await stores.webhooks.tryEnable(OTHER_ACCOUNT, 'two')
  })

  it('has one notice for each end of a balance', async () => {
    const [short, long] = [DEADLINE + 86_400n, DEADLINE + 2_592_000n]
    const day = await chain.deposited({ expiry: unixSeconds(short) })
    const month = await chain.deposited({ expiry: unixSeconds(long) })
    await chain.deposited({ expiry: unixSeconds(DEADLINE + 86_399n) })
    const names = (ids: readonly Uint8Array[]) =>
      ids.map((id) => Buffer.from(id).toString('hex')).sort()
    const endingAt = async (time: bigint) =>
      names((await stores.settlement.listEnding(unixSeconds(time))).map(({ orderId }) => orderId))
    expect(await endingAt(short - 43_201n)).toEqual([])
    expect(await endingAt(short - 43_200n)).toEqual(names([day]))
    expect(await endingAt(long - 259_201n)).toEqual(names([day]))
    expect(await endingAt(long - 259_200n)).toEqual(names([day, month]))
    const later = short + 86_400n
    const tell = (orderId: Uint8Array, end: bigint, isOpen: boolean, atMs: number) =>
      stores.settlement.tryNoticeEnd(
        { orderId, end: unixSeconds(end), isRenewed: end === later },
        isOpen,
        atMs,
      )
    for (const atMs of [NOW_MS, NOW_MS + 1]) {
      expect(await tell(day, short, true, atMs)).toBe(true)
      expect(await tell(day, later, true, atMs)).toBe(true)
    }
    await tell(month, long, false, NOW_MS)
    expect((await read(day)).map(({ event }) => [event.endsAtMs, event.atMs, event.sends])).toEqual(
      [
        [Number(later) * 1_000, NOW_MS, undefined],
        [Number(short) * 1_000, NOW_MS, undefined],
        [undefined, NOW_MS, undefined],
      ],
    )
    // The balance has ended, so its notice isn't sent. The notice still has a row like any other notice.
    expect((await read(month))[0]!.event).toMatchObject({ sends: [] })
  })

  it('has each change of an order once, with rising sequence numbers', async () => {
    const reference = 'invoice 7'
    const id = await chain.deposited({ reference })
    const lease = (await chain.claim(id))!
    const deliver = { kind: 'deliver', sealed: SEALED } as const
    await stores.settlement.tryJournal(lease, deliver)
    await stores.settlement.tryMarkDead({ orderId: id, epoch: EPOCHS[0] }, 1)
    // A second attempt isn't a change of status.
    await stores.settlement.tryJournal(lease, deliver)
    await stores.settlement.tryMarkDead({ orderId: id, epoch: EPOCHS[0] }, 2)
    await stores.settlement.tryBeginRefund(lease, SEALED, SEALED, NOW_MS)
    await complete(id, 'refunded')
    expect(await statuses(id)).toEqual(['refunded', 'refunding', 'delivering', 'deposited'])
    const stored = await read(id)
    expect((await read(id, [3, 5])).map(({ event }) => event.status)).toEqual([
      'refunded',
      'delivering',
    ])
    const sequences = stored.map(({ event }) => sequenceOf(event.status))
    expect(sequences).toEqual([...sequences].sort((left, right) => right - left))
    expect(stored[0]!.event).toEqual({
      ...{ orderId: id, accountId: ACCOUNT, status: 'refunded', reference },
      ...{ atMs: NOW_MS, sends: undefined },
    })
  })

  it('has no change if the write was refused', async () => {
    const id = await chain.deposited()
    await complete(id, 'delivered')
    expect(await complete(id, 'refunded')).toBe(false)
    expect(await statuses(id)).toEqual(['delivered', 'deposited'])
  })

  it('has the end of an unpaid order', async () => {
    const validUntil = unixSeconds(DEADLINE - 200n)
    const order = newOrder({ deadline: validUntil, validUntil })
    await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([]))
    expect(await chain.statusOf(order.id)).toBe('expired')
    expect(await statuses(order.id)).toEqual(['expired'])
  })

  it('polls a sent message as often as an unsent message', async () => {
    while ((await claim(NOW_MS)).length > 0);
    const sends = [{ ...newSend('one'), state: 'delivered', attempts: 1, lastStatus: 204 } as const]
    for (const accountId of [ACCOUNT, OTHER_ACCOUNT]) {
      const isTold = accountId === ACCOUNT
      const id = await chain.deposited({ accountId })
      let nowMs = NOW_MS
      for (let count = 1; count <= POLLS; count += 1) {
        // Other changes may also be due, but each change is returned only once.
        const look = (await claim(nowMs)).find(({ held }) => isOf(held, id))!
        expect(look.count).toBe(count)
        expect((await claim(nowMs)).filter(({ held }) => isOf(held, id))).toEqual([])
        if (isTold) await stores.outbox.keep([{ ...look, sends: count === 1 ? sends : undefined }])
        const [stored] = await read(id)
        const pauseMs = pauseAfter(count, Buffer.from(look.name.slice(0, 2), 'hex')[0]!)
        expect(stored!.dueAtMs).toBe(pauseMs === undefined ? undefined : nowMs + pauseMs)
        expect(stored!.event.sends).toEqual(isTold ? sends : undefined)
        nowMs = stored!.dueAtMs ?? nowMs
      }
    }
  })

  it('ignores the result of a poll if another poll has begun since', async () => {
    const id = await chain.deposited()
    const first = (await claim(NOW_MS)).find(({ held }) => isOf(held, id))!
    const { dueAtMs } = (await read(id))[0]!
    const second = (await claim(dueAtMs!)).find(({ held }) => isOf(held, id))!
    await stores.outbox.keep([{ ...first, sends: [newSend('stale')] }])
    expect((await read(id))[0]!.event.sends).toBeUndefined()
    await stores.outbox.keep([{ ...second, sends: [newSend('one')] }])
    expect((await read(id))[0]!.event.sends).toEqual([newSend('one')])
    const long = NOW_MS - 100 * HOUR_MS
    expect((await claim(long)).some(({ held }) => isOf(held, id))).toBe(true)
  })

  it('returns no content after the key is destroyed', async () => {
    const id = await chain.deposited()
    expect(await statuses(id)).toEqual(['deposited'])
    await stores.settlement.dropSettled(NOW_MS - HOUR_MS)
    expect(await statuses(id)).toEqual(['deposited'])
    if (stores.secrets !== undefined) {
      await stores.secrets.destroy(EPOCHS[0])
      expect(await read(id)).toEqual([])
      const polls = await claim(NOW_MS + 500 * HOUR_MS)
      expect(polls.map(({ held }) => held)).toEqual(polls.map(() => 'lost'))
      expect(polls.length).toBeGreaterThan(0)
      const sealed = await sealedOf()
      await stores.outbox.keep(polls.map((poll) => ({ ...poll, sends: undefined })))
      const after = await sealedOf()
      // All rows are still rewritten with the same size. So the database doesn't show which key is destroyed.
      for (const { name } of polls) {
        expect(after.get(name)).not.toBe(sealed.get(name))
        expect(after.get(name)).toHaveLength(sealed.get(name)!.length)
      }
      // While an order isn't cleared, the rows of all changes from the order's hour stay.
      await stores.settlement.dropSettled(NOW_MS + HOUR_MS)
      expect((await sealedOf()).size).toBe(after.size)
      await stores.database!.query(`UPDATE orders SET status = 'delivered'`, [])
      await stores.settlement.dropSettled(NOW_MS + HOUR_MS)
      expect((await sealedOf()).size).toBe(0)
    }
  })
})
