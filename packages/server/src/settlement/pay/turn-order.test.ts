import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import type { CrowdWish } from '../../domain/crowd.ts'
import type { NextStep } from './next-step.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import { inTurns, SAME_KIND_MAX } from './turn-order.ts'

const PAYMENT_SECONDS = 900
const PLACES = 6
/** Duration of a settlement in seconds. Settlements are made one at a time. */
const SETTLING_SECONDS = 4
const START_SECONDS = 54

interface Simulated {
  readonly id: number
  readonly dueSeconds: number
  readonly endSeconds: number
  readonly isPayment: boolean
  readonly crowd?: CrowdWish
}

const dueOf = (simulated: Simulated) => {
  const { dueSeconds, endSeconds, isPayment, crowd } = simulated
  const opened = {
    terms: { crowd },
    plan: { deliverAtMs: dueSeconds * 1_000 },
    note: { expiry: BigInt(isPayment ? endSeconds + 1e6 : endSeconds) },
    payment: isPayment ? { validUntil: BigInt(endSeconds) } : undefined,
  } as unknown as OpenedOrder
  return { simulated, opened, step: 'deliver' as NextStep }
}

const random = (seed: number) => {
  let state = seed
  return {
    below: (bound: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * bound)
    },
    bytes: Buffer.alloc,
  }
}

const turns = (due: readonly Simulated[], clock: number, seed = 1) =>
  inTurns(random(seed), due.map(dueOf), {
    clock: unixSeconds(BigInt(clock)),
    startSeconds: BigInt(START_SECONDS),
  }).map(({ simulated }) => simulated)

/**
 * Simulates rounds. Each round starts as many orders as there are places, and ends when these orders have landed.
 * Returns the landing time of each order that landed in time.
 */
function settle(orders: readonly Simulated[], seconds: number, seed: number): Map<number, number> {
  const landed = new Map<number, number>()
  let open = orders
  for (let now = 0; now < seconds; now += PLACES * SETTLING_SECONDS) {
    open = open.filter(({ id, endSeconds }) => !landed.has(id) && endSeconds >= now)
    const waiting = open.filter(({ dueSeconds }) => dueSeconds <= now)
    const started = turns(waiting, now, seed + now).slice(0, PLACES)
    for (const [place, { id, endSeconds }] of started.entries()) {
      const at = now + (place + 1) * SETTLING_SECONDS
      if (endSeconds >= at) landed.set(id, at)
    }
  }
  return landed
}

/** Orders that become due at regular intervals. A `load` of 1 uses the whole capacity. */
const arriving = (load: number, seconds: number, life: number, isPayment: boolean) =>
  Array.from({ length: Math.floor((load * seconds) / SETTLING_SECONDS) }, (_, place) => {
    const dueSeconds = Math.floor((place * SETTLING_SECONDS) / load)
    return { dueSeconds, endSeconds: dueSeconds + life, isPayment }
  })
const numbered = (orders: readonly Omit<Simulated, 'id'>[]): Simulated[] =>
  orders.map((one, id) => ({ ...one, id }))

/** Orders that are all due and have much time left. */
const backlogOf = (ofPayments: number, ofTransfers: number): Simulated[] =>
  numbered(
    Array.from({ length: ofPayments + ofTransfers }, (_, place) => ({
      ...{ dueSeconds: 0, endSeconds: 100_000, isPayment: place < ofPayments },
    })),
  )

it('lands payments in time although there is a long backlog of transfers', () => {
  const backlog = Array.from({ length: 750 }, () => ({
    ...{ dueSeconds: 0, endSeconds: 6_000, isPayment: false },
  }))
  const payments = arriving(0.3, 1_500, PAYMENT_SECONDS, true)
  const landed = settle(numbered([...payments, ...backlog]), 3_000, 7)
  expect(payments.filter((_, id) => !landed.has(id))).toEqual([])
})

it('lands an order with a short window in time although there are older orders', () => {
  const backlog = Array.from({ length: 750 }, () => ({
    ...{ dueSeconds: 0, endSeconds: 6_000, isPayment: false },
  }))
  const cut = { dueSeconds: 100, endSeconds: 700, isPayment: false }
  const landed = settle(numbered([cut, ...backlog]), 1_200, 3)
  expect(landed.has(0)).toBe(true)
})

it('starts a transfer early if the end of its wait would lead to a refund', () => {
  const backlog = Array.from({ length: 750 }, () => ({
    ...{ dueSeconds: 0, endSeconds: 6_000, isPayment: false },
  }))
  const isFirst = (missed: 'refund' | 'deliver', clock: number) => {
    const wish = { dueSeconds: 100, endSeconds: 2_000, isPayment: false, crowd: { min: 2, missed } }
    return turns(numbered([wish, ...backlog]), clock)[0]!.id === 0
  }
  // The wait for the crowd ends ten minutes before the expiry.
  expect(isFirst('refund', 700)).toBe(false)
  expect(isFirst('refund', 850)).toBe(true)
  // An order that starts just before the wait ends still lands before the expiry.
  expect(isFirst('refund', 1_399)).toBe(true)
  expect(isFirst('deliver', 850)).toBe(false)
})

it('gives payments and transfers their shares if three times as many orders arrive as can be settled', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 28 }),
      fc.integer({ min: 700, max: 1_200 }),
      fc.nat({ max: 1_000 }),
      (tenths, life, seed) => {
        const seconds = 3_600
        const settleable = seconds / SETTLING_SECONDS
        const [ofPayments, ofTransfers] = [tenths / 10, 3 - tenths / 10]
        const payments = arriving(ofPayments, seconds, life, true)
        const transfers = arriving(ofTransfers, seconds, 3_600, false)
        const landed = settle(numbered([...payments, ...transfers]), seconds, seed)
        const paid = payments.filter((_, id) => landed.has(id)).length / settleable
        const delivered = transfers.filter((_, at) => landed.has(payments.length + at)).length
        // Each kind gets as many places as it needs, up to half of them. It gets more than half if the other kind needs
        // less than half.
        const share = (own: number, other: number) => Math.min(own, Math.max(0.5, 1 - other))
        // Each place is drawn at random, so a share differs from its mean. Five standard deviations are allowed.
        const chance = (5 * 0.5) / Math.sqrt(settleable)
        // Payments that were ordered in the last minutes are still waiting.
        const slack = 0.95 - (life / seconds) * Math.min(1, Math.max(0, 0.6 - ofPayments))
        expect(paid).toBeGreaterThan(share(ofPayments, ofTransfers) * slack - chance)
        expect(delivered / settleable).toBeGreaterThan(
          share(ofTransfers, ofPayments) * 0.95 - chance,
        )
        expect(paid + delivered / settleable).toBeGreaterThan(0.95)
      },
    ),
    // With this example, payments got .471 of the places.
    { numRuns: 2, examples: [[13, 772, 114]] },
  )
})

it('lands every order in time if there is capacity for all', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 1_000 }), (tenths, seed) => {
      const payments = arriving(tenths / 10, 2_400, PAYMENT_SECONDS, true)
      const transfers = arriving(0.9 - tenths / 10, 2_400, 3_600, false)
      // At the start, there is a backlog. Settling it takes fifteen minutes.
      const backlog = Array.from({ length: 225 }, () => ({
        ...{ dueSeconds: 0, endSeconds: 3_600, isPayment: false },
      }))
      const orders = numbered([...payments, ...transfers, ...backlog])
      const landed = settle(orders, 6_000, seed)
      expect(orders.filter(({ id }) => !landed.has(id))).toEqual([])
    }),
    { numRuns: 3 },
  )
})

it('gives each order one turn, and shuffles the orders within each group', () => {
  const orders = numbered([
    ...arriving(4, 40, PAYMENT_SECONDS, true),
    ...arriving(4, 40, 3_600, false),
    ...arriving(4, 40, 30, false),
  ])
  const drawn = [1, 2, 3].map((seed) => turns(orders, 40, seed).map(({ id }) => id))
  for (const one of drawn) {
    expect([...one].sort((left, right) => left - right)).toEqual(orders.map(({ id }) => id))
  }
  expect(new Set(drawn.map(String)).size).toBeGreaterThan(1)
  // Within each kind, the eight orders that became due first come first.
  const ofPayments = drawn[0]!.filter((id) => orders[id]!.isPayment)
  const dueFirst = orders.filter(({ isPayment }) => isPayment).map(({ id }) => id)
  expect(ofPayments.slice(0, 8).sort((left, right) => left - right)).toEqual(dueFirst.slice(0, 8))
})

it('bounds how many orders of one kind come in succession while the other kind waits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat({ max: 100_000 }),
      (ofPayments, ofTransfers, seed) => {
        const kinds = turns(backlogOf(ofPayments, ofTransfers), 0, seed).map((one) => one.isPayment)
        const ended = Math.min(kinds.lastIndexOf(true), kinds.lastIndexOf(false))
        let inSuccession = 0
        for (const [place, kind] of kinds.slice(0, ended + 1).entries()) {
          inSuccession = kind === kinds[place - 1] ? inSuccession + 1 : 1
          expect(inSuccession).toBeLessThanOrEqual(SAME_KIND_MAX)
        }
      },
    ),
  )
})

it('starts payments and transfers in a sequence that reveals no order’s kind', () => {
  const [rounds, places] = [400, 12]
  const drawn = Array.from({ length: rounds }, (_, seed) =>
    turns(backlogOf(40, 40), 0, seed * 7_919 + 1)
      .slice(0, places)
      .map(({ isPayment }) => isPayment),
  )
  // With 400 draws, a share of one half differs by more than 0.1 in one of 15,000 cases.
  for (let place = 0; place < places; place += 1) {
    const payments = drawn.filter((kinds) => kinds[place]).length / rounds
    expect(Math.abs(payments - 0.5)).toBeLessThan(0.1)
    if (place === 0) continue
    const repeated = drawn.filter((kinds) => kinds[place] === kinds[place - 1]).length / rounds
    expect(Math.abs(repeated - 0.5)).toBeLessThan(0.1)
  }
})
