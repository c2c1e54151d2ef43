import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { nextStep } from '../../src/settlement/pay/next-step.ts'
import type { OpenedOrder } from '../../src/settlement/notes/opened-order.ts'

// SOTTO_DELIVERY_WINDOW_SECONDS may be up to 85,800, and a request may ask for delays up to the window.
const now = 1_000_000n
const nowMs = 1_000_000_000
const HOUR = 3_600_000
const order = (delayMs: number, failures?: number) =>
  ({
    order: { status: 'delivering' },
    terms: { crowd: { min: 3, missed: 'refund' }, minDelaySeconds: 0, maxDelaySeconds: 80_000 },
    // What planForCrowd('meet_crowd') writes: the drawn delay, and the failures of earlier tries are kept.
    plan: { deliverAtMs: nowMs + delayMs, failures },
    note: { expiry: now + 85_800n },
  }) as OpenedOrder
const at = (clock: bigint) => ({
  slot: 1n,
  blockHeight: 1n,
  nextLeaf: 1n,
  unixSeconds: unixSeconds(clock),
})

it('keeps a drawn delay of more than four hours after a crowd was met again', () => {
  expect(nextStep(order(5 * HOUR), at(now), nowMs, 120n)).toBe('wait')
  expect(nextStep(order(3 * HOUR, 1), at(now), nowMs, 120n)).toBe('wait')
  expect(nextStep(order(5 * HOUR, 1), at(now), nowMs, 120n)).toBe('wait')
})

it('keeps a drawn delay after a failed try on a machine whose wall clock is an hour ahead', () => {
  expect(nextStep(order(HOUR / 2), at(now), nowMs + HOUR, 120n)).toBe('wait')
  expect(nextStep(order(HOUR / 2, 1), at(now), nowMs + HOUR, 120n)).toBe('wait')
})
