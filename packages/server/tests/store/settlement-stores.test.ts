import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredLeaf } from '../../src/ports/settlement-store.ts'
import { ChainOfSteps, DEADLINE, LEASE_MS, newOrder, SEALED } from './chain-of-steps.ts'
import {
  ACCOUNT,
  drawId,
  EPOCHS,
  NOW_MS,
  openStores,
  OTHER_MINT,
  STORE_KINDS,
  type Stores,
} from './open-stores.ts'

const PLAN = new Uint8Array([9, 9])
const DELIVER = { kind: 'deliver', sealed: SEALED } as const
const END = { sealedOutcome: SEALED, attempt: undefined }
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

  it('belongs to one pool', async () => {
    await store.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
    const other = new Uint8Array(32).fill(1)
    await expect(store.openCursor(OTHER_MINT, other, NOW_MS)).rejects.toThrow('another pool')
  })

  it('gives one of many workers the lease, and another only after its end', async () => {
    const orderId = await chain.deposited()
    const claims = await Promise.all([1, 2, 3, 4].map(() => chain.claim(orderId)))
    expect(claims.filter((lease) => lease !== undefined)).toHaveLength(1)
    expect(await chain.claim(orderId, NOW_MS + LEASE_MS - 1)).toBeUndefined()
    const next = await chain.claim(orderId, NOW_MS + LEASE_MS)
    expect(next?.fence).toBe(2n)
    // A lease written by a clock far in the future is invalid.
    expect(await chain.claim(orderId, NOW_MS - 10 * LEASE_MS)).toBeDefined()
  })

  it('renews and gives back only the newest lease', async () => {
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

  it('lets nobody write behind a lease that another has taken over', async () => {
    const orderId = await chain.deposited()
    const stale = (await chain.claim(orderId))!
    const fresh = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    expect(await store.tryJournal(stale, DELIVER)).toBe(false)
    expect(await store.tryReplacePlan(stale, PLAN)).toBe(false)
    expect(await store.tryBeginRefund(stale, PLAN, NOW_MS)).toBe(false)
    expect(await store.tryReplacePlan(fresh, PLAN)).toBe(true)
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
    expect(await store.tryBeginRefund(lease, PLAN, NOW_MS)).toBe(false)
    expect(await store.tryMarkDead(orderId, 2)).toBe(false)
    expect(await store.tryMarkDead(orderId, 1)).toBe(true)
    expect(await store.tryMarkDead(orderId, 1)).toBe(false)
    expect(await store.tryJournal(lease, DELIVER)).toBe(true)
    expect((await openOf(orderId))?.attempt?.number).toBe(2)
    // A worker that listed the order before that would end it and leave the attempt live forever.
    const end = { ...END, orderId, to: 'delivered' } as const
    expect(await store.tryComplete(end, NOW_MS)).toBe(false)
    const attempt = { number: 2, hasLanded: true }
    expect(await store.tryComplete({ ...end, attempt }, NOW_MS)).toBe(true)
  })

  it('delivers nothing any more once a refund has begun, and ends an order once', async () => {
    const orderId = await chain.deposited()
    const lease = (await chain.claim(orderId))!
    expect(await store.tryJournal(lease, { kind: 'refund', sealed: SEALED })).toBe(false)
    expect(await store.tryBeginRefund(lease, PLAN, NOW_MS)).toBe(true)
    expect(await store.tryJournal(lease, DELIVER)).toBe(false)
    expect(await store.tryComplete({ ...END, orderId, to: 'delivered' }, NOW_MS)).toBe(false)
    expect(await store.tryComplete({ ...END, orderId, to: 'refunded' }, NOW_MS)).toBe(true)
    expect(await store.tryComplete({ ...END, orderId, to: 'refunded' }, NOW_MS)).toBe(false)
    expect(await openOf(orderId)).toBeUndefined()
    const found = (await stores.orders.readOrder(ACCOUNT, orderId))!.order
    expect(found).toMatchObject({ status: 'refunded', sealedOutcome: SEALED })
    expect(found.updatedAtMs % HOUR_MS).toBe(0)
  })

  it('ends an order that somebody settled with its ticket', async () => {
    const orderId = await chain.deposited()
    expect(await store.tryComplete({ ...END, orderId, to: 'delivered' }, NOW_MS)).toBe(true)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    expect(await chain.claim(orderId)).toBeUndefined()
  })

  it('moves the cursor for one of two workers that read the same stretch', async () => {
    const order = newOrder()
    await stores.orders.tryCreate(order, undefined)
    const leaf = chain.leafOf(order.id)
    const steps = [chain.batch([leaf]), chain.batch([leaf])]
    const results = await Promise.all(steps.map((step) => chain.record(step)))
    expect(results.filter(Boolean)).toHaveLength(1)
    const back = chain.batch([], { head: { ...steps[0]!.head, slot: 0n } })
    expect(await chain.record(back)).toBe(false)
    expect((await store.readCursor()).lastSignature).toBe(chain.lastSignature)
  })

  it('writes nothing of a step whose leaf is there already', async () => {
    const orderId = await chain.deposited()
    const before = await store.readCursor()
    const waiting = newOrder()
    await stores.orders.tryCreate(waiting, undefined)
    const twice = chain.batch([chain.leafOf(waiting.id), chain.leafOf(orderId, chain.leaves - 1)])
    await expect(chain.record(twice)).rejects.toThrow()
    expect(await store.readCursor()).toEqual(before)
    expect(await chain.statusOf(waiting.id)).toBe('awaiting_deposit')
    expect(await store.readLeaves(0)).toHaveLength(chain.leaves)
    expect(await store.readKnownLeaves([orderId, waiting.id])).toMatchObject([{ orderId }])
    expect(await store.readKnownLeaves([orderId], chain.leaves - 1)).toEqual([])
    await expect(store.readLeafSlot(chain.leaves)).rejects.toThrow('not stored')
  })

  it('expires only past the deadline, never with a leaf, unless that is proven to be foreign', async () => {
    const [unpaid, disputed] = [newOrder(), newOrder()]
    for (const order of [unpaid, disputed]) await stores.orders.tryCreate(order, undefined)
    const leaf = chain.leafOf(disputed.id)
    await chain.record(chain.batch([leaf], { deposits: [] }))
    const at = async (unixSeconds: bigint, disowned: readonly Uint8Array[] = []) => {
      const step = chain.batch([], { disowned })
      await chain.record({ ...step, head: { ...step.head, unixSeconds } })
    }
    await at(DEADLINE)
    expect(await chain.statusOf(unpaid.id)).toBe('awaiting_deposit')
    await at(DEADLINE + 1n)
    expect(await chain.statusOf(unpaid.id)).toBe('expired')
    expect(await chain.statusOf(disputed.id)).toBe('awaiting_deposit')
    const [found] = await store.listDisputed(DEADLINE + 1n)
    expect(found).toMatchObject({ orderId: disputed.id, leaf: leaf.leaf })
    await at(DEADLINE + 1n, [disputed.id])
    expect(await chain.statusOf(disputed.id)).toBe('expired')
  })

  it('dates no expiry by a wall clock that is far ahead of the chain', async () => {
    const epoch = EPOCHS[1] + 1
    const [unpaid, disputed] = [newOrder({ epoch }), newOrder({ epoch })]
    for (const order of [unpaid, disputed]) await stores.orders.tryCreate(order, undefined)
    await chain.record(chain.batch([chain.leafOf(disputed.id)], { deposits: [] }))
    const step = chain.batch([], { disowned: [disputed.id] })
    const head = { ...step.head, unixSeconds: DEADLINE + 1n }
    await chain.record({ ...step, head }, NOW_MS + 40 * 24 * HOUR_MS)
    expect(await chain.statusOf(disputed.id)).toBe('expired')
    const end = await store.readEpochEnd(epoch)
    expect(end).toBeLessThanOrEqual(1_800_000_600_000 + 2 * HOUR_MS)
  })

  it('knows which deposits nobody has seen', async () => {
    const [first, second] = [newOrder(), newOrder({ createdAtMs: NOW_MS + 1 })]
    for (const order of [first, second]) await stores.orders.tryCreate(order, undefined)
    expect((await store.listUnseen(2)).map((id) => [...id])).toEqual([
      [...second.id],
      [...first.id],
    ])
    await store.markSeen([first.id, second.id], NOW_MS)
    expect(await store.listUnseen(9)).toEqual([])
    expect((await stores.orders.readOrder(ACCOUNT, first.id))?.order.isDepositSeen).toBe(true)
    expect((await store.readAwaiting([first.id, drawId()])).map(({ orderId }) => orderId)).toEqual([
      first.id,
    ])
  })

  it('puts every order at its place when a rescan finds the leaves in another order', async () => {
    const keep = chain.leaves
    const [one, other] = [await chain.deposited(), await chain.deposited()]
    const slotOf = async (id: Uint8Array) => (await store.readKnownLeaves([id]))[0]!.slot
    const leaves = [
      { ...chain.leafOf(other, keep), slot: await slotOf(other) },
      { ...chain.leafOf(one, keep + 1), slot: await slotOf(one) },
    ]
    expect(await chain.record(chain.batch(leaves, { isRescan: true, keep, deposits: [] }))).toBe(
      true,
    )
    expect((await openOf(other))?.leafIndex).toBe(keep)
    expect((await openOf(one))?.leafIndex).toBe(keep + 1)
    expect(await store.readLeaves(keep)).toEqual(leaves.map(({ leaf }) => leaf))
  })

  it('takes a second deposit of an id for one leaf more, and gives it to no order', async () => {
    const keep = chain.leaves
    const [paid, disputed] = [await chain.deposited(), newOrder()]
    await stores.orders.tryCreate(disputed, undefined)
    const first = chain.leafOf(disputed.id)
    await chain.record(chain.batch([first], { deposits: [] }))
    const before = (await store.readKnownLeaves([paid]))[0]!
    const again = [chain.leafOf(paid), chain.leafOf(disputed.id, chain.leaves + 1)]
    expect(await chain.record(chain.batch(again, { deposits: [] }))).toBe(true)
    const known = [before, { orderId: paid, slot: again[0]!.slot }]
    const bySlot = await store.readKnownLeaves([paid])
    expect(bySlot.sort((one, other) => Number(one.slot - other.slot))).toEqual(known)
    expect((await openOf(paid))?.leafIndex).toBe(keep)
    const placeOf = ({ leaf, index: leafIndex, slot: leafSlot }: StoredLeaf) => ({
      ...{ orderId: disputed.id, leaf, leafIndex, leafSlot },
    })
    const found = await store.listDisputed(DEADLINE + 1n)
    const ours = found.filter(({ orderId }) => Buffer.compare(orderId, disputed.id) === 0)
    expect(ours).toMatchObject([first, again[1]!].map(placeOf))
    // The leaves are read again, after a leaf that was missing.
    const stray = { ...chain.leafOf(drawId(), keep), slot: before.slot }
    const moved = [{ ...chain.leafOf(paid, keep + 1), slot: before.slot }, first, ...again]
    const leaves = [stray, ...moved.map((leaf, place) => ({ ...leaf, index: keep + 1 + place }))]
    const rescan = { isRescan: true, keep, deposits: [] }
    expect(await chain.record(chain.batch(leaves, rescan))).toBe(true)
    expect((await openOf(paid))?.leafIndex).toBe(keep + 1)
    const whole = leaves.filter(({ orderId }) => orderId !== stray.orderId)
    const back = whole.map((leaf, place) => ({ ...leaf, index: keep + place }))
    expect(await chain.record(chain.batch(back, rescan))).toBe(true)
    expect((await openOf(paid))?.leafIndex).toBe(keep)
    const rest = { ...rescan, keep: keep + 1 }
    expect(await chain.record(chain.batch(back.slice(1), rest))).toBe(true)
    expect((await openOf(paid))?.leafIndex).toBe(keep)
    // The same deposit still can't have a second leaf.
    const twice = chain.batch([{ ...chain.leafOf(paid), slot: before.slot }])
    await expect(chain.record(twice)).rejects.toThrow()
  })

  it('tells of leaves that belong to no order', async () => {
    expect(await store.hasUnknownLeaf()).toBe(false)
    await chain.record(chain.batch([chain.leafOf(drawId())], { deposits: [] }))
    expect(await store.hasUnknownLeaf()).toBe(true)
  })

  it('lets no lease from before an order was sealed anew write behind it', async () => {
    const orderId = await chain.deposited()
    const stale = (await chain.claim(orderId))!
    const sealer = (await chain.claim(orderId, NOW_MS + LEASE_MS))!
    const resealed = { epoch: EPOCHS[1], sealedTerms: PLAN, sealedPlan: PLAN }
    expect(await store.tryReseal(stale, resealed, NOW_MS)).toBe(false)
    expect(await store.tryReseal(sealer, resealed, NOW_MS)).toBe(true)
    const found = await openOf(orderId)
    expect(found).toMatchObject({ epoch: EPOCHS[1], sealedTerms: PLAN, status: 'deposited' })
    const fresh = (await chain.claim(orderId, NOW_MS + 2 * LEASE_MS))!
    expect(await store.tryJournal(stale, DELIVER)).toBe(false)
    expect(await store.tryJournal(sealer, DELIVER)).toBe(false)
    expect(await store.tryJournal(fresh, DELIVER)).toBe(true)
    await store.tryMarkDead(orderId, 1)
    expect(await store.tryComplete({ ...END, orderId, to: 'delivered' }, NOW_MS)).toBe(true)
    const { order } = (await stores.orders.readOrder(ACCOUNT, orderId))!
    expect(order.epoch).toBe(EPOCHS[1])
    await store.clearEpoch(EPOCHS[1])
  })

  it('clears an epoch only once all its orders have ended, and keeps how they ended', async () => {
    const epoch = EPOCHS[1]
    expect(await store.readEpochEnd(99)).toBe('empty')
    const orderId = await chain.deposited({ epoch })
    expect(await store.readEpochEnd(epoch)).toBe('open')
    await expect(store.clearEpoch(epoch)).rejects.toThrow("can't be cleared")
    await store.tryComplete({ ...END, orderId, to: 'delivered' }, NOW_MS + 5)
    expect(await store.readEpochEnd(epoch)).toBe(NOW_MS)
    await store.clearEpoch(epoch)
    await store.dropSettled(NOW_MS + HOUR_MS)
    const cleared = (await stores.orders.readOrder(ACCOUNT, orderId))!.order
    expect(cleared).toMatchObject({ status: 'delivered', sealedPlan: undefined })
    expect(cleared.sealedTerms).toHaveLength(0)
    expect(cleared.sealedOutcome).toBeUndefined()
  })

  it('keeps an end that a slow clock dated before its own epoch as long as that epoch', async () => {
    const [, epoch] = EPOCHS
    const orderId = await chain.deposited({ epoch })
    await store.tryComplete({ ...END, orderId, to: 'delivered' }, epoch * HOUR_MS - 5_000)
    await store.dropSettled(epoch * HOUR_MS)
    expect(await chain.statusOf(orderId)).toBe('delivered')
    await store.clearEpoch(epoch)
  })
})
