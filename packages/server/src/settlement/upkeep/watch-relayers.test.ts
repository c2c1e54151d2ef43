import { amount, lastRefundClock, unixSeconds } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { DeliveryPlan } from '../../domain/order-secrets.ts'
import type { SettlementReport } from '../../ports/settlement-gauges.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import { planAfterDeath } from '../pay/postpone.ts'
import { watchRelayers, type WatchDependencies } from './watch-relayers.ts'

const NOW = 1_800_000_000
const seconds = (at: number) => unixSeconds(BigInt(at))

/** An opened order. By default, its delivery has been due for an hour. */
function openedOf(part: {
  readonly status?: string
  readonly expiry: number
  readonly dueAt?: number
  readonly terms?: object
  readonly plan?: object
  readonly value?: bigint
}): OpenedOrder {
  const { status = 'deposited', expiry, dueAt = NOW - 3_600, terms, plan, value = 1n } = part
  return {
    order: { status },
    note: { expiry: seconds(expiry), value: amount(value) },
    terms: { ...terms },
    plan: { deliverAtMs: dueAt * 1_000, ...plan },
  } as unknown as OpenedOrder
}

/** A payment that was signed at `dueAt` and has been due since then. */
const paymentOf = (dueAt: number, validUntil: number, plan: object = {}): OpenedOrder =>
  ({
    ...openedOf({ status: 'delivering', expiry: NOW + 86_400, dueAt, plan }),
    payment: { validUntil: seconds(validUntil) },
  }) as unknown as OpenedOrder

async function overdue(one: OpenedOrder): Promise<number> {
  return (await watch(one)).overdueSeconds
}

/** The number of further orders that the relayers can pay for, if only `one` is open. */
async function freeBeside(one: OpenedOrder): Promise<number> {
  return (await watch(one)).freeOrders
}

async function watch(one: OpenedOrder, { copies = 1, wallAt = NOW, shownAt = NOW } = {}) {
  const isPayment = one.payment !== undefined
  const reports: SettlementReport[] = []
  const free: number[] = []
  const queued: number[] = []
  await watchRelayers({
    chain: {
      readBalances: async () => ({
        balances: [amount(1_000_000_000n)],
        lamportsPerByte: 6_960n,
      }),
      readClock: async () => seconds(shownAt),
    },
    clockMarginSeconds: 120n,
    store: {
      listOpen: async () => (isPayment ? [] : Array.from({ length: copies }, () => one.order)),
      listPayments: async () => (isPayment ? [one.order] : []),
      recordProvers: async ({ openOrders }: { readonly openOrders: number }) =>
        void queued.push(openOrders),
      recordLiquidity: async ({ freeOrders }: { readonly freeOrders: number }) =>
        void free.push(freeOrders),
      countPayable: async () => 0,
      readCursor: async () => ({ unixSeconds: seconds(NOW) }),
      readPrice: async () => undefined,
      readLedger: async () => ({}),
    },
    relayers: [{ address: 'relayer' }],
    clock: { nowMs: () => wallAt * 1_000 },
    log: { alert: () => undefined },
    opener: {
      openAll: async (open: readonly unknown[]) => open.map(() => one),
      openPayments: async (open: readonly unknown[]) => open.map(() => one),
    },
    proofQueue: { proofsPerHour: 1 },
    gauges: { report: (report: SettlementReport) => void reports.push(report) },
    prices: { floor: 0, ceiling: 6 },
    workerId: 'one',
  } as unknown as WatchDependencies)
  expect([reports.length, free.length]).toEqual([1, 1])
  const [queue = -1] = queued
  return { overdueSeconds: reports[0]?.overdueSeconds ?? -1, freeOrders: free[0] ?? -1, queue }
}

/** The plan of a payment whose payee couldn't be paid. */
const UNPAYABLE = { failures: 1, reason: 'recipient_not_payable' }

it('never counts a balance that waits for its owner as overdue', async () => {
  const owner = { terms: { owner: 1n } }
  expect(await overdue(openedOf({ ...owner, expiry: NOW + 86_400 }))).toBe(0)
  // The rest can be returned at the first grid time after the balance's end, and later.
  expect(await overdue(openedOf({ ...owner, expiry: NOW - 600 }))).toBe(0)
  expect(await overdue(openedOf({ ...owner, expiry: NOW - 1_200 }))).toBe(300)
  expect(await overdue(openedOf({ ...owner, expiry: NOW - 1_200, value: 0n }))).toBe(0)
})

it('counts a refund as overdue only after it was possible', async () => {
  const crowd = { terms: { crowd: { min: 2, missed: 'refund' } }, plan: { crowdFromMs: 1 } }
  const tried = { plan: { isRefundTried: true } }
  for (const refunded of [{ status: 'refunding' }, tried, crowd]) {
    const waiting = { ...refunded, dueAt: NOW - 540, expiry: NOW - 540 }
    expect(await overdue(openedOf(waiting))).toBe(0)
    const late = { ...refunded, dueAt: NOW - 1_800, expiry: NOW - 1_800 }
    expect(await overdue(openedOf(late))).toBe(900)
  }
})

it('measures the overdue time of a delivery from its drawn time', async () => {
  expect(await overdue(openedOf({ expiry: NOW + 3_600 }))).toBe(3_600)
  expect(await overdue(openedOf({ expiry: NOW + 3_600, dueAt: NOW - 299 }))).toBe(0)
})

it('counts an order whose transactions are dropped as overdue from its first try', async () => {
  let plan: DeliveryPlan = { deliverAtMs: (NOW - 7_200) * 1_000 }
  const left = { clock: seconds(NOW), end: seconds(NOW + 86_400) }
  for (const tried of [2, 3, 4]) plan = planAfterDeath(plan, tried, NOW * 1_000, left) ?? plan
  expect(plan.deliverAtMs).toBeGreaterThan(NOW * 1_000)
  expect(await overdue(openedOf({ expiry: NOW + 86_400, plan }))).toBe(3_600)
  expect(await overdue(paymentOf(NOW, NOW + 600, plan))).toBe(3_600)
})

it('counts a payment as overdue from its signature until the signature expires', async () => {
  expect(await overdue(paymentOf(NOW - 299, NOW + 600))).toBe(0)
  expect(await overdue(paymentOf(NOW - 300, NOW + 600))).toBe(300)
  expect(await overdue(paymentOf(NOW - 900, NOW))).toBe(900)
  // The payment can't land any more, so no worker is late with it.
  expect(await overdue(paymentOf(NOW - 901, NOW - 1))).toBe(0)
})

it('counts no order as overdue because the worker’s clock is hours ahead of the chain’s clock', async () => {
  const waiting = openedOf({ expiry: NOW + 7_200, dueAt: NOW + 1_800 })
  expect((await watch(waiting, { wallAt: NOW + 7_200 })).overdueSeconds).toBe(0)
  const late = openedOf({ expiry: NOW + 7_200, dueAt: NOW - 300 })
  expect((await watch(late, { wallAt: NOW + 7_200 })).overdueSeconds).toBe(300)
})

it('one node that shows an old clock does not hide that an order is overdue', async () => {
  const late = openedOf({ expiry: NOW + 7_200 })
  expect((await watch(late, { shownAt: NOW - 7_200 })).overdueSeconds).toBe(3_600)
})

it('reports more open orders than a call may have arguments', async () => {
  const late = openedOf({ expiry: NOW + 3_600 })
  expect((await watch(late, { copies: 200_000 })).overdueSeconds).toBe(3_600)
})

it('counts only payments that may need a proof now among the orders that wait for the provers', async () => {
  expect((await watch(paymentOf(NOW - 1, NOW + 600))).queue).toBe(1)
  // Such a payment may stay open for a week.
  expect((await watch(paymentOf(NOW - 900, NOW - 1))).queue).toBe(0)
  // Its pause grows with each failure, like the pause of a transfer that has failed.
  expect((await watch(paymentOf(NOW - 1, NOW + 600, UNPAYABLE))).queue).toBe(0)
})

describe('lamports of the relayers', () => {
  /** The expiry of an order whose refund can land until now. */
  const OLDEST = 2 * NOW - wholeNumber(lastRefundClock(BigInt(NOW)))
  const owner = { terms: { owner: 1n } }
  const nothing = openedOf({ ...owner, expiry: NOW + 60, value: 0n })

  it.each([
    ['a balance before its end', openedOf({ ...owner, expiry: NOW })],
    ['an order whose refund cannot land any more', openedOf({ expiry: OLDEST - 600 })],
    [
      'a refund that waits for the sender’s account',
      openedOf({ status: 'refunding', expiry: NOW - 60, plan: { waitsFor: 'sender_account' } }),
    ],
    ['a payment whose signature has expired', paymentOf(NOW - 900, NOW - 1)],
    ['a payment to a payee who can’t be paid', paymentOf(NOW - 900, NOW, UNPAYABLE)],
  ])('are not reserved for %s', async (_name, one) => {
    expect(await freeBeside(one)).toBe(await freeBeside(nothing))
  })

  it.each([
    ['a delivery', openedOf({ expiry: NOW + 3_600 })],
    ['a refund in the last second', openedOf({ status: 'refunding', expiry: OLDEST })],
    ['a balance after its end', openedOf({ ...owner, expiry: NOW - 1 })],
    ['a payment', paymentOf(NOW - 900, NOW)],
    ['a payment whose attempts have died', paymentOf(NOW - 900, NOW, { failures: 1 })],
    // If the recipient can’t be paid, the transfer still needs a refund.
    ['a transfer to such a payee', openedOf({ expiry: NOW + 3_600, plan: UNPAYABLE })],
  ])('are reserved for %s', async (_name, one) => {
    expect(await freeBeside(one)).toBe((await freeBeside(nothing)) - 1)
  })
})
