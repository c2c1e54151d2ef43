import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { ChainOfSteps, DEADLINE, drawLeaf, LEASE_MS, newOrder, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_MINT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const PLAN = new Uint8Array([9, 9])
const DELIVER = { kind: 'deliver', sealed: SEALED } as const
const END = { epoch: EPOCHS[0], sealedOutcome: SEALED, attempt: undefined }
const HOUR_MS = 3_600_000

describe.each(STORE_KINDS)('settlement in %s', (kind) => {
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

  it('belongs to only one pool', async () => {
    await store.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
    const other = new Uint8Array(32).fill(1)
    await expect(store.openCursor(OTHER_MINT, other, NOW_MS)).rejects.toThrow('another pool')
  })

  it('gives the lease to only one worker until the lease ends', async () => {
    const orderId = await chain.deposited()
    const claims = await Promise.all([1, 2, 3, 4].map(() => chain.claim(orderId)))
    const claimed = claims.filter((lease) => lease !== undefined)
    expect(claimed).toHaveLength(1)
    expect(await chain.claim(orderId, NOW_MS + LEASE_MS - 1)).toBeUndefined()
    const next = await chain.claim(orderId, NOW_MS + LEASE_MS)
    expect(next?.fence).toBe(claimed[0]!.fence + 1n)
    // A lease is invalid if its worker's clock was far ahead.
    expect(await chain.claim(orderId, NOW_MS - 10 * LEASE_MS)).toBeDefined()
  })

  it('renews and releases only the newest lease', async () => {
    const orderId = await chain.deposited()
    const stale = (await chain.claim(orderId))!
    const fresh = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    expect(await store.tryRenew(stale, NOW_MS + 9 * LEASE_MS)).toBe(false)
    await store.release(stale)
    expect((await openOf(orderId))?.leaseUntilMs).toBe(NOW_MS + 2 * LEASE_MS)
    expect(await store.tryRenew(fresh, NOW_MS + 3 * LEASE_MS)).toBe(true)
    expect((await openOf(orderId))?.leaseUntilMs).toBe(NOW_MS + 3 * LEASE_MS)
    await store.release(fresh)
    expect((await openOf(orderId))?.leaseUntilMs).toBeUndefined()
    expect(await store.tryRenew(fresh, NOW_MS + 9 * LEASE_MS)).toBe(false)
  })

  it('lets no worker write under a lease that another worker has taken over', async () => {
    const orderId = await chain.deposited()
    const drawn = (await openOf(orderId))!.sealedPlan
    const stale = (await chain.claim(orderId))!
    const fresh = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    expect(await store.tryJournal(stale, DELIVER)).toBe(false)
    expect(await store.tryReplacePlan(stale, PLAN, drawn)).toBe(false)
    expect(await store.tryBeginRefund(stale, PLAN, drawn, NOW_MS)).toBe(false)
    expect(await store.tryReplacePlan(fresh, PLAN, drawn)).toBe(true)
    expect((await openOf(orderId))?.sealedPlan).toEqual(PLAN)
    expect(await store.tryJournal(fresh, DELIVER)).toBe(true)
    expect(await chain.statusOf(orderId)).toBe('delivering')
  })

  it('never has two live attempts of an order', async () => {
    const orderId = await chain.deposited()
    const lease = (await chain.claim(orderId))!
    const tries = await Promise.all([1, 2, 3].map(() => store.tryJournal(lease, DELIVER)))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect((await openOf(orderId))?.attempt).toEqual({ number: 1, ...DELIVER })
    expect(await chain.claim(orderId, NOW_MS + 9 * LEASE_MS)).toBeUndefined()
    expect(await store.tryBeginRefund(lease, PLAN, SEALED, NOW_MS)).toBe(false)
    expect(await store.tryMarkDead({ ...END, orderId }, 2)).toBe(false)
    expect(await store.tryMarkDead({ ...END, orderId }, 1)).toBe(true)
    expect(await store.tryMarkDead({ ...END, orderId }, 1)).toBe(false)
    expect(await store.tryJournal(lease, DELIVER)).toBe(true)
    expect((await openOf(orderId))?.attempt?.number).toBe(2)
    // This end doesn't name the live attempt. If it were allowed, the attempt would stay live after the order has
    // ended.
    const end = { ...END, orderId, to: 'delivered' } as const
    expect(await store.tryComplete(end, NOW_MS)).toBe(false)
    const attempt = { number: 2, hasLanded: true }
    expect(await store.tryComplete({ ...end, attempt }, NOW_MS)).toBe(true)
  })

  it('delivers nothing after a refund has begun', async () => {
    const orderId = await chain.deposited()
    const lease = (await chain.claim(orderId))!
    expect(await store.tryJournal(lease, { kind: 'refund', sealed: SEALED })).toBe(false)
    expect(await store.tryBeginRefund(lease, PLAN, SEALED, NOW_MS)).toBe(true)
    expect(await store.tryJournal(lease, DELIVER)).toBe(false)
    expect(await store.tryComplete({ ...END, orderId, to: 'refunded' }, NOW_MS)).toBe(true)
    expect(await store.tryComplete({ ...END, orderId, to: 'refunded' }, NOW_MS)).toBe(false)
    expect(await openOf(orderId)).toBeUndefined()
    const found = (await stores.orders.readOrder(ACCOUNT, orderId))!.order
    expect(found).toMatchObject({ status: 'refunded', sealedOutcome: SEALED })
    expect(found.updatedAtMs % HOUR_MS).toBe(0)
  })

  it('ends an order that was settled with its ticket', async () => {
    const orderId = await chain.deposited()
    expect(await store.tryComplete({ ...END, orderId, to: 'delivered' }, NOW_MS)).toBe(true)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    expect(await chain.claim(orderId)).toBeUndefined()
  })

  it('moves the cursor for only one of two workers that read the same part of the chain', async () => {
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    const steps = [chain.batch([order]), chain.batch([order])]
    const results = await Promise.all(steps.map((step) => chain.record(step)))
    expect(results.filter(Boolean)).toHaveLength(1)
    const back = chain.batch([], { head: { ...steps[0]!.head, slot: 0n } })
    expect(await chain.record(back)).toBe(false)
    expect((await store.readCursor()).nextLeaf).toBe(BigInt(chain.leaves))
    expect(await store.readLeaves(chain.leaves - 1)).toEqual([order.leaf])
  })

  it('writes no part of a step if one of its leaves is already stored', async () => {
    await chain.deposited()
    const before = await store.readCursor()
    const waiting = newOrder()
    await stores.orders.tryCreate(waiting, undefined)
    const twice = chain.batch([waiting], { keep: chain.leaves - 1 })
    await expect(chain.record(twice)).rejects.toThrow()
    expect(await store.readCursor()).toEqual(before)
    expect(await chain.statusOf(waiting.id)).toBe('awaiting_deposit')
    expect(await store.readLeaves(0)).toHaveLength(chain.leaves)
  })

  it('expires an order only if its authorisations have ended and its leaf is not in the tree', async () => {
    const [unpaid, arrived] = [newOrder(), newOrder()]
    for (const order of [unpaid, arrived]) await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([arrived.leaf]))
    const at = async (clock: bigint) => {
      const step = chain.batch([])
      await chain.record({ ...step, head: { ...step.head, unixSeconds: unixSeconds(clock) } })
    }
    await at(DEADLINE)
    expect(await chain.statusOf(unpaid.id)).toBe('awaiting_deposit')
    expect(await store.listArrived(DEADLINE)).toEqual([])
    await at(DEADLINE + 1n)
    expect(await chain.statusOf(unpaid.id)).toBe('expired')
    expect(await chain.statusOf(arrived.id)).toBe('awaiting_deposit')
    const [found] = await store.listArrived(unixSeconds(DEADLINE + 1n))
    const leafIndex = chain.leaves - 1
    expect(found).toMatchObject({ orderId: arrived.id, leaf: arrived.leaf, leafIndex })
    const { deposits } = chain.batch([arrived], { keep: leafIndex })
    expect(await chain.record(chain.batch([], { deposits }))).toBe(true)
    expect(await chain.statusOf(arrived.id)).toBe('deposited')
    expect(await openOf(arrived.id)).toMatchObject({ leafIndex })
  })

  it('dates an expiry correctly even if a wall clock is far ahead of the chain', async () => {
    const epoch = EPOCHS[1] + 1
    const unpaid = newOrder({ epoch })
    await stores.orders.tryCreate(unpaid, undefined)
    const step = chain.batch([])
    const head = { ...step.head, unixSeconds: unixSeconds(DEADLINE + 1n) }
    await chain.record({ ...step, head }, NOW_MS + 40 * 24 * HOUR_MS)
    expect(await chain.statusOf(unpaid.id)).toBe('expired')
    const end = await store.readEpochEnd(epoch)
    expect(end).toBeLessThanOrEqual(1_800_000_600_000 + 2 * HOUR_MS)
  })

  it('finds the orders of leaves that were seen but are not final yet', async () => {
    const [first, second] = [newOrder(), newOrder()]
    for (const order of [first, second]) await stores.orders.tryCreate(order, undefined)
    await store.markSeen([first.leaf, drawLeaf()], NOW_MS)
    const isSeen = async ({ id }: typeof first) =>
      (await stores.orders.readOrder(ACCOUNT, id))?.order.isDepositSeen
    expect([await isSeen(first), await isSeen(second)]).toEqual([true, false])
    const awaiting = await store.readAwaiting([first.leaf, second.leaf, drawLeaf()])
    const ids = awaiting.map(({ orderId }) => Buffer.from(orderId).toString('hex')).sort()
    expect(ids).toEqual([first, second].map(({ id }) => Buffer.from(id).toString('hex')).sort())
    expect(await store.readAwaiting([drawLeaf()])).toEqual([])
  })

  it('shows a deposit before its transaction is found', async () => {
    const orderId = await chain.deposited()
    const depositOf = async () => (await stores.orders.readOrder(ACCOUNT, orderId))!.order.deposit
    const at = DEADLINE - 100n
    expect(await depositOf()).toEqual({ unixSeconds: at, signature: undefined, slot: undefined })
    const isListed = async () =>
      (await store.listUnlocated(1_000)).some((id) => Buffer.compare(id, orderId) === 0)
    expect(await isListed()).toBe(true)
    const found = { signature: 'signature', slot: 7n, unixSeconds: unixSeconds(at - 1n) }
    await store.recordLocated(orderId, found)
    expect(await depositOf()).toEqual(found)
    expect(await isListed()).toBe(false)
    await store.recordLocated(orderId, { ...found, signature: 'another' })
    expect(await depositOf()).toEqual(found)
  })

  it('gives every order its new leaf index after a rescan', async () => {
    const keep = chain.leaves
    const orders = [newOrder(), newOrder()] as const
    for (const order of orders) await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([...orders]))
    const leaves = [orders[1].leaf, orders[0].leaf]
    const rescan = { isRescan: true, keep, deposits: [] }
    expect(await chain.record(chain.batch(leaves, rescan))).toBe(true)
    expect((await openOf(orders[1].id))?.leafIndex).toBe(keep)
    expect((await openOf(orders[0].id))?.leafIndex).toBe(keep + 1)
    expect(await store.readLeaves(keep)).toEqual(leaves)
  })

  it('gives an order the first place of its leaf if the leaf appears several times', async () => {
    const keep = chain.leaves
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([order]))
    expect(await chain.record(chain.batch([drawLeaf(), order.leaf]))).toBe(true)
    expect((await openOf(order.id))?.leafIndex).toBe(keep)
    // If a leaf is missing, that leaf and all later leaves are read again.
    const rescan = { isRescan: true, keep, deposits: [] }
    const leaves = [drawLeaf(), order.leaf, drawLeaf(), order.leaf]
    expect(await chain.record(chain.batch(leaves, rescan))).toBe(true)
    expect((await openOf(order.id))?.leafIndex).toBe(keep + 1)
    const rest = { ...rescan, keep: keep + 2 }
    expect(await chain.record(chain.batch(leaves.slice(2), rest))).toBe(true)
    expect((await openOf(order.id))?.leafIndex).toBe(keep + 1)
  })

  it('counts leaves, and orders that have a leaf', async () => {
    const before = await store.readLedger()
    const leaf = drawLeaf()
    await chain.deposited()
    await chain.record(chain.batch([leaf]))
    const { leaves, deposited } = await store.readLedger()
    expect([leaves, deposited]).toEqual([before.leaves + 2, before.deposited + 1])
    expect([...(await store.findLeaves([leaf, drawLeaf()]))]).toEqual([[leaf, chain.leaves - 1]])
    // If the tree has a leaf twice, the higher index is returned.
    await chain.record(chain.batch([leaf]))
    expect((await store.findLeaves([leaf])).get(leaf)).toBe(chain.leaves - 1)
  })

  it('lets no worker write under a lease from before a reseal', async () => {
    const orderId = await chain.deposited()
    const stale = (await chain.claim(orderId))!
    const sealer = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    const resealed = { epoch: EPOCHS[1], plan: SEALED, sealedTerms: PLAN, sealedPlan: PLAN }
    expect(await store.tryReseal(stale, resealed, NOW_MS)).toBe(false)
    expect(await store.tryReseal(sealer, resealed, NOW_MS)).toBe(true)
    const found = await openOf(orderId)
    expect(found).toMatchObject({ epoch: EPOCHS[1], sealedTerms: PLAN, status: 'deposited' })
    const fresh = (await chain.claim(orderId, NOW_MS + 2 * LEASE_MS))!
    expect(await store.tryJournal(stale, DELIVER)).toBe(false)
    expect(await store.tryJournal(sealer, DELIVER)).toBe(false)
    expect(await store.tryJournal(fresh, DELIVER)).toBe(true)
    expect(await store.tryMarkDead({ orderId, epoch: EPOCHS[1] }, 1)).toBe(true)
    const end = { ...END, epoch: EPOCHS[1], orderId, to: 'delivered' } as const
    expect(await store.tryComplete(end, NOW_MS)).toBe(true)
    const { order } = (await stores.orders.readOrder(ACCOUNT, orderId))!
    expect(order.epoch).toBe(EPOCHS[1])
    await store.clearEpoch(EPOCHS[1])
  })

  it('clears an epoch only after all its orders have ended', async () => {
    const epoch = EPOCHS[1]
    expect(await store.readEpochEnd(99)).toBe('empty')
    const orderId = await chain.deposited({ epoch })
    expect(await store.readEpochEnd(epoch)).toBe('open')
    await expect(store.clearEpoch(epoch)).rejects.toThrow("can't be cleared")
    await store.tryComplete({ ...END, epoch, orderId, to: 'delivered' }, NOW_MS + 5)
    expect(await store.readEpochEnd(epoch)).toBe(NOW_MS)
    await store.dropSettled(NOW_MS + HOUR_MS)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    await store.clearEpoch(epoch)
    await store.dropSettled(NOW_MS + HOUR_MS)
    const cleared = (await stores.orders.readOrder(ACCOUNT, orderId))!.order
    expect(cleared).toMatchObject({ status: 'delivered', sealedPlan: undefined })
    expect(cleared.sealedTerms).toHaveLength(0)
    expect(cleared.sealedOutcome).toBeUndefined()
  })

  it('keeps a final status until its epoch is cleared, even if a slow clock dated it too early', async () => {
    const [, epoch] = EPOCHS
    const orderId = await chain.deposited({ epoch })
    await store.tryComplete({ ...END, epoch, orderId, to: 'delivered' }, epoch * HOUR_MS - 5_000)
    await store.dropSettled(epoch * HOUR_MS)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    await store.clearEpoch(epoch)
  })
})
