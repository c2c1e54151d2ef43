import { expect, it } from 'vitest'
import { decodePlan, type DeliveryPlan } from '../domain/order-secrets.ts'
import type { OpenedOrder } from './open-note.ts'
import { hasFailed, PAUSE_MAX_MS, pauseMs, planAfterDeath, postpone } from './postpone.ts'

const EXPIRY_S = 5_700
const REFUND_WINDOW_MS = 30 * 86_400_000

/** Postpones an order at a time counted from its deposit, and returns its next plan. */
async function next(plan: DeliveryPlan, nowMs: number, isRefund = false): Promise<DeliveryPlan> {
  let sealed: Uint8Array = new Uint8Array(0)
  const opened = {
    order: { orderId: new Uint8Array(16) },
    secrets: { seal: (_id: Uint8Array, _column: string, clear: Uint8Array) => clear },
    note: { expiry: BigInt(EXPIRY_S) },
    plan,
  } as unknown as OpenedOrder
  const store = { tryReplacePlan: async (_: unknown, next: Uint8Array) => ((sealed = next), true) }
  const d = { store, clock: { nowMs: () => nowMs } } as never
  const clock = isRefund ? undefined : BigInt(Math.floor(nowMs / 1_000))
  await postpone(d, opened, {} as never, { clock, reason: 'recipient_not_payable' })
  return decodePlan(sealed)
}

/** Tries of an order, none of which comes to anything, within some time. */
async function triesWithin(untilMs: number, isRefund: boolean): Promise<number[]> {
  const tries: number[] = []
  let plan: DeliveryPlan = { deliverAtMs: 0 }
  while (plan.deliverAtMs <= untilMs) {
    tries.push(plan.deliverAtMs)
    plan = await next(plan, plan.deliverAtMs, isRefund)
  }
  return tries
}

it('pauses double up to hours', () => {
  expect([1, 2, 3, 8].map(pauseMs)).toEqual([15_000, 30_000, 60_000, 1_920_000])
  expect(pauseMs(1_000)).toBe(PAUSE_MAX_MS)
})

it('a payee who can not be paid is tried a dozen times before the expiry, the last time shortly before', async () => {
  const tries = await triesWithin(EXPIRY_S * 1_000, false)
  expect(tries.length).toBeLessThanOrEqual(12)
  expect(tries).toContain((EXPIRY_S - 300) * 1_000)
})

it('a sender who can not be paid is tried two hundred times in thirty days', async () => {
  expect((await triesWithin(REFUND_WINDOW_MS, true)).length).toBeLessThanOrEqual(200)
})

it('transactions that a payee lets fail come less and less often, and one that was dropped costs no pause', () => {
  let plan: DeliveryPlan = { deliverAtMs: 0 }
  let nowMs = 0
  let count = 0
  while (nowMs <= EXPIRY_S * 1_000) {
    count += 1
    // About as long as a blockhash lives.
    nowMs = Math.max(nowMs, plan.deliverAtMs) + 60_000
    const after = planAfterDeath(plan, count, nowMs)
    expect(after === undefined).toBe(count === 1)
    plan = after ?? plan
  }
  expect(count).toBeLessThanOrEqual(20)
  expect(hasFailed({ plan })).toBe(true)
})
