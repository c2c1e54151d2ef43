import { unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewPayment } from '../../src/ports/order-store.ts'
import { ChainOfSteps, DEADLINE, newOrder, SEALED } from './chain-of-steps.ts'
import { drawName, newPayment, newSignature, SIGNED } from './new-payment.ts'
import {
  ACCOUNT,
  drawId,
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_ACCOUNT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const DELIVER = { kind: 'deliver', sealed: SEALED } as const
const END = { epoch: EPOCHS[0], sealedOutcome: undefined, attempt: undefined }
/** A time before the clock of the simulated chain. */
const PAST = unixSeconds(DEADLINE - 200n)

describe.each(STORE_KINDS)('payments in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  const create = (payment: NewPayment, most = 1_000) =>
    stores.orders.tryCreatePayment(payment, most)
  const read = ({ id }: NewPayment) => stores.orders.readPayment(ACCOUNT, id)
  const sign = ({ id }: NewPayment, changeNames?: Uint8Array[]) =>
    stores.orders.trySign(id, newSignature(changeNames), NOW_MS)
  const created = async (changes: Partial<NewPayment> = {}) => {
    const payment = newPayment(changes)
    expect(await create(payment)).toBe('created')
    return payment
  }
  const signed = async (changes: Partial<NewPayment> = {}) => {
    const payment = await created(changes)
    expect(await sign(payment)).toBe('signed')
    return payment
  }
  const isOpen = async ({ id }: NewPayment) =>
    (await stores.settlement.listPayments()).some(({ orderId }) => !Buffer.compare(orderId, id))
  /** Orders another payment out of the same note, and returns the outcome. */
  const rivalOf = ({ reservations }: NewPayment) => create(newPayment({ reservations }))

  it('are read only as payments and only for their own account', async () => {
    const payment = await created({ reference: 'payroll' })
    expect(await read(payment)).toMatchObject({
      ...{ id: payment.id, status: 'awaiting_signature', reference: 'payroll' },
      ...{ validUntil: DEADLINE, sealedTerms: SEALED, sealedPlan: undefined },
    })
    expect(await stores.orders.readPayment(OTHER_ACCOUNT, payment.id)).toBeUndefined()
    expect(await stores.orders.readOrder(ACCOUNT, payment.id)).toBeUndefined()
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    expect(await stores.orders.readPayment(ACCOUNT, order.id)).toBeUndefined()
    const listed = await stores.orders.listOrders(ACCOUNT, 100, undefined)
    expect(listed.filter(({ id }) => !Buffer.compare(id, payment.id))).toHaveLength(1)
  })

  it('reserve a note only once if many payments compete for it', async () => {
    const [before, hour, after] = [drawName(), drawName(), drawName()]
    const rivals = Array.from({ length: 6 }, (_, index) =>
      newPayment({ reservations: index % 2 === 0 ? [before, hour] : [hour, after] }),
    )
    const outcomes = await Promise.all(rivals.map((rival) => create(rival)))
    expect([...outcomes].sort()).toEqual([
      'created',
      ...Array.from({ length: 5 }, () => 'note_in_use'),
    ])
    for (const name of [before, hour, after]) {
      expect([undefined, DEADLINE]).toContain(await stores.orders.readReservedUntil([name]))
    }
    expect(await stores.orders.readReservedUntil([before, hour, after])).toBe(DEADLINE)
    expect(await stores.orders.readReservedUntil([drawName()])).toBeUndefined()
    const kept = await Promise.all(rivals.map(read))
    expect(kept.filter((one) => one !== undefined)).toHaveLength(1)
  })

  it('are made once for a quote or a key', async () => {
    const first = await created({ idempotencyKey: 'line 1' })
    const { quoteNonce } = first
    expect(await create(newPayment({ quoteNonce }))).toBe('taken')
    expect(await create(newPayment({ idempotencyKey: 'line 1' }))).toBe('taken')
    // This retry of the first request names the same note.
    expect(await create({ ...first, id: drawId() })).toBe('taken')
    const order = newOrder({ idempotencyKey: 'line 1' })
    expect(await stores.orders.tryCreate(order, { ordersMax: 9_999, swap: undefined })).toBe(
      'taken',
    )
    const found = await stores.orders.findReplays(ACCOUNT, quoteNonce, undefined)
    expect(found).toMatchObject([{ id: first.id, sealedResponse: first.sealedResponse }])
  })

  it('that are unsigned count among the unpaid orders of their account', async () => {
    await stores.addAccount('busy')
    const own = { accountId: 'busy' }
    expect(await create(newPayment(own), 2)).toBe('created')
    const room = { ordersMax: 2, swap: undefined }
    expect(await stores.orders.tryCreate(newOrder(own), room)).toBe('created')
    const third = newPayment(own)
    expect(await create(third, 2)).toBe('too_many_unpaid')
    // The refused payment left no reservation, so its note is free.
    expect(await rivalOf(third)).toBe('created')
    const { unpaid } = await stores.market.readMarket(0n, unixSeconds(DEADLINE - 300n))
    expect(unpaid.find(({ accountId }) => accountId === 'busy')?.open).toBe(2)
  })

  it('are signed once', async () => {
    const payment = await created()
    expect(await isOpen(payment)).toBe(false)
    const names = [drawName(), drawName()]
    const tries = [1, 2, 3].map(() => sign(payment, names))
    expect((await Promise.all(tries)).sort()).toEqual(['not_awaiting', 'not_awaiting', 'signed'])
    expect(await read(payment)).toMatchObject({ status: 'delivering', ...SIGNED })
    expect(await stores.settlement.listPayments()).toContainEqual({
      ...{ orderId: payment.id, epoch: EPOCHS[0], status: 'delivering', ...SIGNED },
      ...{ validUntil: DEADLINE, leaseUntilMs: undefined, attempt: undefined },
    })
    const lease = (await chain.claim(payment.id))!
    expect((await read(payment))?.status).toBe('delivering')
    expect(await stores.settlement.tryJournal(lease, DELIVER)).toBe(true)
    const attempt = { number: 1, hasLanded: true }
    const end = {
      ...{ ...END, orderId: payment.id, sealedOutcome: SEALED, attempt },
      to: 'delivered',
    } as const
    expect(await stores.settlement.tryComplete(end, NOW_MS)).toBe(true)
    expect(await isOpen(payment)).toBe(false)
    expect(await read(payment)).toMatchObject({ status: 'delivered', sealedOutcome: SEALED })
    expect(await sign(payment)).toBe('not_awaiting')
  })

  it('reserve a change only once if many payments with this change are signed', async () => {
    const [before, hour, after] = [drawName(), drawName(), drawName()]
    const rivals = await Promise.all(Array.from({ length: 6 }, () => created()))
    const namesOf = (index: number) => (index % 2 === 0 ? [before, hour] : [hour, after])
    const outcomes = await Promise.all(rivals.map((one, index) => sign(one, namesOf(index))))
    expect([...outcomes].sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'change_in_use'),
      'signed',
    ])
    expect(await stores.orders.readReservedUntil([hour])).toBe(DEADLINE)
    // Nothing of a refused signature is stored, and the payment may still be signed with another change.
    for (const [index, rival] of rivals.entries()) {
      if (outcomes[index] === 'signed') continue
      const { status, sealedTerms } = (await read(rival))!
      expect([status, sealedTerms]).toEqual(['awaiting_signature', SEALED])
      expect(await sign(rival)).toBe('signed')
    }
  })

  it('release the reservation of their change when they end', async () => {
    const names = [drawName(), drawName()]
    const late = await created({ validUntil: PAST })
    expect(await sign(late, names)).toBe('signed')
    const next = await created()
    expect(await sign(next, names)).toBe('change_in_use')
    await chain.record(chain.batch([]))
    expect(await sign(next, names)).toBe('signed')
  })

  it('that were not signed in time expire and release their note', async () => {
    const late = await created({ validUntil: PAST })
    const waiting = await created()
    await chain.record(chain.batch([]))
    expect((await read(late))?.status).toBe('expired')
    expect((await read(waiting))?.status).toBe('awaiting_signature')
    expect(await sign(late)).toBe('not_awaiting')
    expect(await rivalOf(waiting)).toBe('note_in_use')
    expect(await rivalOf(late)).toBe('created')
  })

  it('that were signed in time do not expire by the clock alone', async () => {
    const payment = await signed({ validUntil: PAST })
    await chain.record(chain.batch([]))
    expect(await read(payment)).toMatchObject({ status: 'delivering' })
    expect(await isOpen(payment)).toBe(true)
    const lease = (await chain.claim(payment.id))!
    expect(await stores.settlement.tryJournal(lease, DELIVER)).toBe(true)
    // A live attempt may have landed, so the payment can't expire.
    const end = { ...END, orderId: payment.id, to: 'expired' } as const
    expect(await stores.settlement.tryComplete(end, NOW_MS)).toBe(false)
    expect(await stores.settlement.tryMarkDead({ ...END, orderId: payment.id }, 1)).toBe(true)
    expect(await stores.settlement.tryComplete(end, NOW_MS)).toBe(true)
    expect(await read(payment)).toMatchObject({ status: 'expired', sealedOutcome: undefined })
  })

  it('keep their epoch’s key alive until they have ended', async () => {
    const epoch = EPOCHS[1]
    const payment = await signed({ epoch })
    expect(await stores.settlement.readEpochEnd(epoch)).toBe('open')
    await expect(stores.settlement.clearEpoch(epoch)).rejects.toThrow('open orders')
    const end = { ...END, epoch, orderId: payment.id, to: 'expired' } as const
    await stores.settlement.tryComplete(end, NOW_MS)
    expect(await stores.settlement.readEpochEnd(epoch)).toBeTypeOf('number')
    await stores.settlement.clearEpoch(epoch)
    expect(await read(payment)).toMatchObject({
      ...{ status: 'expired', sealedTerms: new Uint8Array(0), sealedPlan: undefined },
    })
    const { id: orderId } = payment
    expect(await stores.settlement.tryClaim(orderId, 'worker', NOW_MS, NOW_MS + 1)).toBeUndefined()
  })
})

describe.each(['PGlite', 'PostgreSQL'] as const)('rows of payments in %s', (kind) => {
  let stores: Stores
  beforeAll(async () => {
    stores = await openStores(kind)
  })
  afterAll(() => stores.close())

  it('keep their columns and statuses apart from those of deposits', async () => {
    const payment = newPayment()
    const { id } = payment
    await stores.orders.tryCreatePayment(payment, 1_000)
    const set = (what: string) =>
      stores.database!.query(`UPDATE orders SET ${what} WHERE id = $1`, [id])
    await expect(set('amount_in = 1')).rejects.toThrow('orders_deposit_check')
    await expect(set(`status = 'awaiting_deposit'`)).rejects.toThrow('orders_payment_check')
    await expect(set('leaf_index = 7')).rejects.toThrow('orders_payment_check')
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    const wrong = `UPDATE orders SET status = 'delivering' WHERE id = $1`
    await expect(stores.database!.query(wrong, [order.id])).rejects.toThrow('orders_payment_check')
  })
})
