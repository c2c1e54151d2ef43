import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainOfSteps, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_MINT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const DELIVER = { kind: 'deliver', sealed: SEALED } as const
const TRIAL = { kind: 'refund', sealed: SEALED, isTrial: true } as const
const END = { epoch: EPOCHS[0], sealedOutcome: SEALED }

describe.each(STORE_KINDS)('a refund that perhaps never lands, in %s', (kind) => {
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

  const attemptOf = async (orderId: Uint8Array) =>
    (await store.listOpen()).find((one) => Buffer.compare(one.orderId, orderId) === 0)?.attempt

  it.each(['delivered', 'refunded'] as const)(
    'changes no status if it is only a trial, so its order can end as %s',
    async (to) => {
      const orderId = await chain.deposited()
      const lease = (await chain.claim(orderId))!
      expect(await store.tryJournal(lease, TRIAL)).toBe(true)
      expect(await chain.statusOf(orderId)).toBe('deposited')
      expect(await attemptOf(orderId)).toMatchObject({ number: 1, kind: 'refund' })
      const attempt = { number: 1, hasLanded: to === 'refunded' }
      expect(await store.tryComplete({ ...END, orderId, to, attempt }, NOW_MS)).toBe(true)
      const ended = (await stores.orders.readOrder(ACCOUNT, orderId))!.order
      expect(ended).toMatchObject({ status: to, sealedOutcome: SEALED })
    },
  )

  it('ends as delivered if it began because nodes hid the delivery', async () => {
    const orderId = await chain.deposited()
    const lease = (await chain.claim(orderId))!
    expect(await store.tryBeginRefund(lease, SEALED, SEALED, NOW_MS)).toBe(true)
    expect(await store.tryJournal(lease, { ...TRIAL, isTrial: false })).toBe(true)
    const end = { ...END, orderId, to: 'delivered', attempt: undefined } as const
    // An end that doesn't name the live attempt is refused, because the attempt would stay live after the order's end.
    expect(await store.tryComplete(end, NOW_MS)).toBe(false)
    const attempt = { number: 1, hasLanded: false }
    expect(await store.tryComplete({ ...end, attempt }, NOW_MS)).toBe(true)
    const ended = (await stores.orders.readOrder(ACCOUNT, orderId))!.order
    expect(ended.status).toBe('delivered')
    expect(await store.tryComplete({ ...end, to: 'refunded' }, NOW_MS)).toBe(false)
  })

  it('is never live together with a delivery', async () => {
    const orderId = await chain.deposited()
    const lease = (await chain.claim(orderId))!
    expect(await store.tryJournal(lease, DELIVER)).toBe(true)
    expect(await store.tryJournal(lease, TRIAL)).toBe(false)
    expect(await store.tryMarkDead({ epoch: END.epoch, orderId }, 1)).toBe(true)
    expect(await store.tryJournal(lease, TRIAL)).toBe(true)
    expect(await store.tryJournal(lease, DELIVER)).toBe(false)
    expect(await chain.statusOf(orderId)).toBe('delivering')
  })
})
