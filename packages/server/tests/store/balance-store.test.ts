import { amount } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, SEALED } from './chain-of-steps.ts'
import { newPayment, newSignature, PLAN } from './new-payment.ts'
import {
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_MINT,
  STORE_KINDS,
  TOP_UPS,
  type Stores,
} from './open-stores.ts'

const END = { epoch: EPOCHS[0], sealedOutcome: undefined, attempt: undefined }

describe.each(STORE_KINDS)('balances in %s', (kind) => {
  let stores: Stores
  let chain: ChainOfSteps
  beforeAll(async () => {
    stores = await openStores(kind)
    chain = await ChainOfSteps.begin(stores)
  })
  afterAll(() => stores.close())

  const signedPayment = async () => {
    const payment = newPayment()
    await stores.orders.tryCreatePayment(payment, 1_000)
    await stores.orders.trySign(payment.id, newSignature(), NOW_MS)
    return payment.id
  }
  const planOf = async (orderId: Uint8Array) =>
    (await stores.settlement.listOpen()).find((one) => !Buffer.compare(one.orderId, orderId))
      ?.sealedPlan
  const landed = { ...END, to: 'delivered', isLandedPayment: true } as const
  const paidFrom = (orderId: Uint8Array, plan: Uint8Array, sealedPlan: Uint8Array) => ({
    paidFrom: { orderId, epoch: TOP_UPS[0], plan, sealedPlan },
  })

  it('continue with the rest after a payment', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const { payments } = await stores.settlement.readLedger()
    const [left, later] = [new Uint8Array([1, 1]), new Uint8Array([2, 2])]
    const first = { ...landed, orderId: await signedPayment(), ...paidFrom(balance, SEALED, left) }
    expect(await stores.settlement.tryComplete(first, NOW_MS)).toBe(true)
    expect(await planOf(balance)).toEqual(left)
    const second = { ...landed, orderId: await signedPayment(), ...paidFrom(balance, left, later) }
    expect(await stores.settlement.tryComplete(second, NOW_MS)).toBe(true)
    expect(await planOf(balance)).toEqual(later)
    expect((await stores.settlement.readLedger()).payments).toBe(payments + 2)
  })

  it('keep a payment open if it does not name the balance’s newest note', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const [left, stale] = [new Uint8Array([3, 3]), new Uint8Array([4, 4])]
    const first = { ...landed, orderId: await signedPayment(), ...paidFrom(balance, SEALED, left) }
    await stores.settlement.tryComplete(first, NOW_MS)
    const { payments } = await stores.settlement.readLedger()
    const orderId = await signedPayment()
    const wrong = { ...landed, orderId, ...paidFrom(balance, stale, PLAN) }
    await expect(stores.settlement.tryComplete(wrong, NOW_MS)).rejects.toThrow('plan changed')
    expect(await planOf(balance)).toEqual(left)
    expect((await stores.settlement.readLedger()).payments).toBe(payments)
    const open = await stores.settlement.listPayments()
    expect(open.some((one) => !Buffer.compare(one.orderId, orderId))).toBe(true)
  })

  it('keep the newest note if a payment completes just before a reseal', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const left = new Uint8Array([6, 6])
    const lease = (await chain.claim(balance))!
    const paid = { ...landed, orderId: await signedPayment(), ...paidFrom(balance, SEALED, left) }
    expect(await stores.settlement.tryComplete(paid, NOW_MS)).toBe(true)
    const resealed = { epoch: TOP_UPS[1], sealedTerms: PLAN, sealedPlan: PLAN }
    const reseal = (plan: Uint8Array) =>
      stores.settlement.tryReseal(lease, { ...resealed, plan }, NOW_MS)
    expect(await reseal(SEALED)).toBe(false)
    expect(await planOf(balance)).toEqual(left)
    expect(await reseal(left)).toBe(true)
    expect(await planOf(balance)).toEqual(PLAN)
  })

  it('keep a payment open if its plan was sealed before a reseal', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const [epoch, sealedPlan] = [TOP_UPS[1], SEALED]
    const lease = (await chain.claim(balance))!
    // The plan's bytes stay the same, so that only the epochs differ.
    const resealed = { epoch, plan: SEALED, sealedTerms: PLAN, sealedPlan }
    expect(await stores.settlement.tryReseal(lease, resealed, NOW_MS)).toBe(true)
    const orderId = await signedPayment()
    const left = new Uint8Array([7, 7])
    const stale = { ...landed, orderId, ...paidFrom(balance, SEALED, left) }
    await expect(stores.settlement.tryComplete(stale, NOW_MS)).rejects.toThrow('resealed')
    expect(await planOf(balance)).toEqual(SEALED)
    const again = { ...stale, paidFrom: { ...stale.paidFrom, epoch } }
    expect(await stores.settlement.tryComplete(again, NOW_MS)).toBe(true)
    expect(await planOf(balance)).toEqual(left)
  })

  it('end only if the note that was read is still the newest note', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const left = new Uint8Array([5, 5])
    const paid = { ...landed, orderId: await signedPayment(), ...paidFrom(balance, SEALED, left) }
    await stores.settlement.tryComplete(paid, NOW_MS)
    const before = await stores.settlement.readLedger()
    const endWith = (plan: Uint8Array) =>
      stores.settlement.tryComplete(
        {
          ...{
            ...END,
            epoch: TOP_UPS[0],
            orderId: balance,
            to: 'delivered',
            sealedOutcome: SEALED,
          },
          balance: { plan, mint: OTHER_MINT, left: amount(7n) },
        },
        NOW_MS,
      )
    expect(await endWith(SEALED)).toBe(false)
    expect(await endWith(left)).toBe(true)
    const { unsettled, keptByOwners } = await stores.settlement.readLedger()
    expect(unsettled).toBe(before.unsettled + 1)
    expect(keptByOwners.get(OTHER_MINT)).toBe((before.keptByOwners.get(OTHER_MINT) ?? 0n) + 7n)
  })

  it('end after a reseal only with the resealed note and the new key', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const left = new Uint8Array([8, 8])
    const paid = { ...landed, orderId: await signedPayment(), ...paidFrom(balance, SEALED, left) }
    await stores.settlement.tryComplete(paid, NOW_MS)
    const resealed = { epoch: TOP_UPS[1], plan: left, sealedTerms: PLAN, sealedPlan: PLAN }
    const lease = (await chain.claim(balance))!
    expect(await stores.settlement.tryReseal(lease, resealed, NOW_MS)).toBe(true)
    const endWith = (epoch: number, plan: Uint8Array) =>
      stores.settlement.tryComplete(
        {
          ...{ ...END, epoch, orderId: balance, to: 'delivered', sealedOutcome: SEALED },
          balance: { plan, mint: OTHER_MINT, left: amount(7n) },
        },
        NOW_MS,
      )
    // A worker may have read the balance before the payment completed. That worker sees a spent note and no open
    // payment. Without this check, it would end the balance.
    expect(await endWith(TOP_UPS[0], SEALED)).toBe(false)
    expect(await endWith(TOP_UPS[1], SEALED)).toBe(false)
    expect(await endWith(TOP_UPS[1], left)).toBe(false)
    expect(await endWith(TOP_UPS[0], PLAN)).toBe(false)
    expect(await planOf(balance)).toEqual(PLAN)
    expect(await endWith(TOP_UPS[1], PLAN)).toBe(true)
  })

  it('keep their plan if a payment names another plan', async () => {
    const balance = await chain.deposited({ epoch: TOP_UPS[0] })
    const orderId = await signedPayment()
    const stale = { ...landed, orderId, ...paidFrom(balance, PLAN, new Uint8Array([4, 4])) }
    await expect(stores.settlement.tryComplete(stale, NOW_MS)).rejects.toThrow('plan changed')
    await chain.claim(balance)
    await expect(stores.settlement.tryComplete(stale, NOW_MS)).rejects.toThrow('plan changed')
    expect(await planOf(balance)).toEqual(SEALED)
  })
})
