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

describe.each(STORE_KINDS)('a refund that is only tried, in %s', (kind) => {
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
    'changes no status, and its order can still end as %s',
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
