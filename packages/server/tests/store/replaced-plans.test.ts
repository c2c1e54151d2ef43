import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, LEASE_MS, SEALED } from './chain-of-steps.ts'
import { EPOCHS, NOW_MS, openStores, OTHER_MINT, STORE_KINDS, type Stores } from './open-stores.ts'

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

  it('lets no worker replace a plan that has changed since the worker read it', async () => {
    const orderId = await chain.deposited()
    // Both workers list the order before either of them claims it.
    const drawn = (await openOf(orderId))!.sealedPlan
    const first = (await chain.claim(orderId))!
    expect(await store.tryReplacePlan(first, PLAN, drawn)).toBe(true)
    await store.release(first)
    const second = (await chain.claim(orderId))!
    expect(await store.tryReplacePlan(second, new Uint8Array([8]), drawn)).toBe(false)
    expect((await openOf(orderId))?.sealedPlan).toEqual(PLAN)
    expect(await store.tryReplacePlan(second, new Uint8Array([8]), PLAN)).toBe(true)
  })

  it('shows a worker the newest plan when it claims the order', async () => {
    const orderId = await chain.deposited()
    const drawn = (await openOf(orderId))!.sealedPlan
    const first = (await chain.claim(orderId))!
    expect(first.plan).toEqual(drawn)
    await store.tryReplacePlan(first, PLAN, drawn)
    await store.release(first)
    const second = (await chain.claim(orderId))!
    expect(second.plan).toEqual(PLAN)
    const resealed = { epoch: EPOCHS[1], plan: PLAN, sealedTerms: SEALED, sealedPlan: SEALED }
    expect(await store.tryReseal(second, resealed, NOW_MS)).toBe(true)
    expect((await chain.claim(orderId, NOW_MS + LEASE_MS))!.plan).toEqual(SEALED)
  })

  it('lets no worker begin a refund with a plan that has changed since the worker read it', async () => {
    const orderId = await chain.deposited()
    const drawn = (await openOf(orderId))!.sealedPlan
    const lease = (await chain.claim(orderId))!
    expect(await store.tryReplacePlan(lease, PLAN, drawn)).toBe(true)
    const refundPlan = new Uint8Array([8])
    expect(await store.tryBeginRefund(lease, refundPlan, drawn, NOW_MS)).toBe(false)
    expect(await openOf(orderId)).toMatchObject({ status: 'deposited', sealedPlan: PLAN })
    expect(await store.tryBeginRefund(lease, refundPlan, PLAN, NOW_MS)).toBe(true)
    expect(await openOf(orderId)).toMatchObject({ status: 'refunding', sealedPlan: refundPlan })
  })

  it('lets no worker replace a plan that was resealed since the worker read it', async () => {
    const orderId = await chain.deposited()
    const before = (await openOf(orderId))!.sealedPlan
    const sealer = (await chain.claim(orderId))!
    const resealed = { epoch: EPOCHS[1], plan: before, sealedTerms: SEALED, sealedPlan: PLAN }
    expect(await store.tryReseal(sealer, resealed, NOW_MS)).toBe(true)
    const lease = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    const next = new Uint8Array([8])
    expect(await store.tryReplacePlan(lease, next, before)).toBe(false)
    expect(await store.tryBeginRefund(lease, next, before, NOW_MS)).toBe(false)
    expect(await openOf(orderId)).toMatchObject({ status: 'deposited', sealedPlan: PLAN })
    expect(await store.tryReplacePlan(lease, next, PLAN)).toBe(true)
  })

  it('lets no worker end an order with an outcome that was sealed before a reseal', async () => {
    const orderId = await chain.deposited()
    const before = (await openOf(orderId))!.sealedPlan
    const sealer = (await chain.claim(orderId))!
    const resealed = { epoch: EPOCHS[1], plan: before, sealedTerms: SEALED, sealedPlan: PLAN }
    expect(await store.tryReseal(sealer, resealed, NOW_MS)).toBe(true)
    const end = { orderId, to: 'delivered', sealedOutcome: SEALED, attempt: undefined } as const
    expect(await store.tryComplete({ ...end, epoch: EPOCHS[0] }, NOW_MS)).toBe(false)
    expect(await store.tryComplete({ ...end, epoch: EPOCHS[1] }, NOW_MS)).toBe(true)
  })
  it('lets no worker mark an attempt from before a reseal as dead', async () => {
    const orderId = await chain.deposited()
    const before = (await openOf(orderId))!.sealedPlan
    const deliver = { kind: 'deliver', sealed: SEALED } as const
    const sealer = (await chain.claim(orderId))!
    expect(await store.tryJournal(sealer, deliver)).toBe(true)
    expect(await store.tryMarkDead({ orderId, epoch: EPOCHS[0] }, 1)).toBe(true)
    const resealed = { epoch: EPOCHS[1], plan: before, sealedTerms: SEALED, sealedPlan: PLAN }
    expect(await store.tryReseal(sealer, resealed, NOW_MS)).toBe(true)
    const lease = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    expect(await store.tryJournal(lease, deliver)).toBe(true)
    // The new attempt has the number 1 too, because a reseal starts the numbers again.
    const plans = { sealedPlan: new Uint8Array([8]), readPlan: PLAN }
    expect(await store.tryMarkDead({ orderId, epoch: EPOCHS[0] }, 1, plans)).toBe(false)
    expect(await openOf(orderId)).toMatchObject({ attempt: { number: 1 }, sealedPlan: PLAN })
    expect(await store.tryMarkDead({ orderId, epoch: EPOCHS[1] }, 1)).toBe(true)
  })

  it.each(['replaced', 'unchanged'])('marks an attempt as dead if the plan was %s', async (how) => {
    const orderId = await chain.deposited()
    const readPlan = (await openOf(orderId))!.sealedPlan
    const lease = (await chain.claim(orderId))!
    const trial = { kind: 'refund', sealed: SEALED, isTrial: true } as const
    expect(await store.tryJournal(lease, trial)).toBe(true)
    if (how === 'replaced') expect(await store.tryReplacePlan(lease, PLAN, readPlan)).toBe(true)
    const plans = { sealedPlan: new Uint8Array([8]), readPlan }
    expect(await store.tryMarkDead({ orderId, epoch: EPOCHS[0] }, 1, plans)).toBe(true)
    const left = how === 'replaced' ? PLAN : plans.sealedPlan
    expect((await openOf(orderId))?.sealedPlan).toEqual(left)
  })
})
