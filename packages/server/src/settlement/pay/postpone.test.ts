import { lastRefundClock, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { decodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import {
  endOf,
  firstDueOf,
  hasFailed,
  PAUSE_MAX_MS,
  pauseMs,
  planAfterDeath,
  postpone,
} from './postpone.ts'

const EXPIRY_S = 5_700
const LAST_TRY_S = 300

const clockAt = (nowMs: number) => BigInt(Math.floor(nowMs / 1_000))

/** Postpones an order, and returns the new plan. `nowMs` is the time since the order's deposit. */
async function next(
  plan: DeliveryPlan,
  nowMs: number,
  isRefund = false,
  waitsFor?: DeliveryPlan['waitsFor'],
  isPayable = false,
): Promise<DeliveryPlan> {
  let sealed: Uint8Array = new Uint8Array(0)
  const opened = {
    order: { orderId: new Uint8Array(16) },
    secrets: { seal: (_id: Uint8Array, _column: string, clear: Uint8Array) => clear },
    note: { expiry: BigInt(EXPIRY_S) },
    plan,
  } as unknown as OpenedOrder
  const store = { tryReplacePlan: async (_: unknown, next: Uint8Array) => ((sealed = next), true) }
  const d = { store, clock: { nowMs: () => nowMs } } as never
  const left = {
    clock: unixSeconds(clockAt(nowMs)),
    end: endOf(unixSeconds(BigInt(EXPIRY_S)), isRefund),
  }
  const reason = isPayable ? undefined : 'recipient_not_payable'
  await postpone(d, opened, {} as never, { ...left, reason, waitsFor })
  return decodePlan(sealed)
}

/** Returns the times in an interval at which an order is tried if all tries fail. */
async function triesWithin(fromMs: number, untilMs: number, isRefund: boolean): Promise<number[]> {
  const tries: number[] = []
  let plan: DeliveryPlan = { deliverAtMs: fromMs }
  while (plan.deliverAtMs <= untilMs) {
    tries.push(plan.deliverAtMs)
    plan = await next(plan, plan.deliverAtMs, isRefund)
  }
  return tries
}

it('forgets at the next try why a refund waited', async () => {
  const waiting = await next({ deliverAtMs: 0 }, 0, true, 'sender_account')
  expect(waiting).toMatchObject({ waitsFor: 'sender_account', reason: 'recipient_not_payable' })
  expect((await next(waiting, 0, true)).waitsFor).toBeUndefined()
})

it('keeps the time since when an order is due, except while its payee cannot be paid', async () => {
  const refused = await next({ deliverAtMs: 5_000 }, 6_000, false, undefined, true)
  const again = await next(refused, 60_000, false, undefined, true)
  expect([refused.firstDueMs, again.firstDueMs]).toEqual([5_000, 5_000])
  expect((await next(again, 120_000)).firstDueMs).toBeUndefined()
})

it('a refund that waits for its sender’s account is due at its next try', async () => {
  const plan = { deliverAtMs: 5_000, firstDueMs: 1_000 }
  const waiting = await next(plan, 6_000, true, 'sender_account', true)
  expect([waiting.firstDueMs, firstDueOf(waiting)]).toEqual([undefined, waiting.deliverAtMs])
})

it('keeps `isRefundTried` in the plan of a refund that is only tried', async () => {
  const tried = await next({ deliverAtMs: 0, isRefundTried: true }, 0, true)
  expect(tried).toMatchObject({ isRefundTried: true, failures: 1 })
  expect((await next({ deliverAtMs: 0 }, 0, true)).isRefundTried).toBeUndefined()
})

it('doubles the pauses up to four hours', () => {
  expect([1, 2, 3, 8].map(pauseMs)).toEqual([15_000, 30_000, 60_000, 1_920_000])
  expect(pauseMs(1_000)).toBe(PAUSE_MAX_MS)
})

it('tries a delivery at most twelve times, the last time shortly before the expiry', async () => {
  const tries = await triesWithin(0, EXPIRY_S * 1_000, false)
  expect(tries.length).toBeLessThanOrEqual(12)
  expect(tries).toContain((EXPIRY_S - LAST_TRY_S) * 1_000)
})

it('tries a refund at most two hundred times, the last time shortly before the refund window ends', async () => {
  const end = Number(lastRefundClock(BigInt(EXPIRY_S))) * 1_000
  const tries = await triesWithin(EXPIRY_S * 1_000, end, true)
  expect(tries.length).toBeLessThanOrEqual(200)
  expect(tries).toContain(end - LAST_TRY_S * 1_000)
})

it.each([false, true])(
  'after dead transactions, ends the pause before the deadline (is a refund: %s)',
  (isRefund) => {
    const end = endOf(unixSeconds(BigInt(EXPIRY_S)), isRefund)
    const plan = { deliverAtMs: 0, failures: 20 }
    const leftMs = 3_600_000
    const nowMs = Number(end) * 1_000 - leftMs
    const after = planAfterDeath(plan, 2, nowMs, { clock: unixSeconds(clockAt(nowMs)), end })
    expect(after!.deliverAtMs).toBe(nowMs + leftMs - LAST_TRY_S * 1_000)
  },
)

it('lengthens the pauses while one transaction after another expires', () => {
  let plan: DeliveryPlan = { deliverAtMs: 0 }
  let nowMs = 0
  let count = 0
  while (nowMs <= EXPIRY_S * 1_000) {
    count += 1
    // 60 seconds: about as long as a blockhash is valid.
    nowMs = Math.max(nowMs, plan.deliverAtMs) + 60_000
    const after = planAfterDeath(plan, count, nowMs, {
      clock: unixSeconds(clockAt(nowMs)),
      end: unixSeconds(BigInt(EXPIRY_S)),
    })
    expect(after === undefined).toBe(count === 1)
    plan = after ?? plan
  }
  expect(count).toBeLessThanOrEqual(20)
  expect(hasFailed({ plan })).toBe(true)
})
