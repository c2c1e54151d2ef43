import { REFUND_WINDOW_SECONDS, SKEW_SECONDS, unixSeconds } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import type { CrowdWish } from '../../domain/crowd.ts'
import type { OrderStatus } from '../../domain/order-state.ts'
import { nextStep } from './next-step.ts'
import { missedCrowd, type OpenedOrder } from '../notes/opened-order.ts'

const EXPIRY = 6_000n
const DUE_MS = 1_000

const order = (status: OrderStatus) =>
  ({
    order: { status },
    terms: {},
    plan: { deliverAtMs: DUE_MS },
    note: { expiry: EXPIRY },
  }) as OpenedOrder
const at = (clock: bigint) => ({
  ...{ slot: 1n, blockHeight: 1n, nextLeaf: 1n },
  unixSeconds: unixSeconds(clock),
})

it('delivers an order once the wall clock has reached the drawn time', () => {
  expect(nextStep(order('deposited'), at(0n), DUE_MS - 1)).toBe('wait')
  expect(nextStep(order('deposited'), at(0n), DUE_MS)).toBe('deliver')
  expect(nextStep(order('delivering'), at(EXPIRY), DUE_MS)).toBe('deliver')
})

it('keeps a drawn delay on a machine whose wall clock is an hour ahead of the chain', () => {
  const margin = 120n
  const [now, nowMs] = [1_000_000n, 1_000_000_000]
  const hour = 3_600_000
  const due = (plan: Partial<OpenedOrder['plan']>, crowd?: CrowdWish) =>
    ({
      order: { status: 'deposited' },
      terms: { crowd },
      plan: { deliverAtMs: nowMs + 1_500_000, ...plan },
      note: { expiry: now + 7_200n },
    }) as OpenedOrder
  const stepAt = (one: OpenedOrder, wallMs: number, clock = now) =>
    nextStep(one, at(clock), wallMs, margin)
  expect(stepAt(due({}), nowMs + hour)).toBe('wait')
  expect(stepAt(due({}), nowMs + hour, now + 1_379n)).toBe('wait')
  expect(stepAt(due({}), nowMs + hour, now + 1_380n)).toBe('deliver')
  expect(stepAt(due({}), nowMs + 1_500_000, now + 1_500n)).toBe('deliver')
  const crowd = { min: 2, missed: 'refund' } as const
  const waiting = due({ crowdFromMs: nowMs + 1_500_000 }, crowd)
  expect(stepAt(waiting, nowMs + hour)).toBe('wait')
  expect(stepAt(waiting, nowMs + hour, now + 1_380n)).toBe('count_crowd')
  // A pause after a failed try follows the wall clock alone, which also started it.
  const failed = due({ deliverAtMs: nowMs + hour, failures: 1 })
  expect(stepAt(failed, nowMs + hour - 1)).toBe('wait')
  expect(stepAt(failed, nowMs + hour)).toBe('deliver')
})

it('keeps a delay that was drawn after a failed try, when the crowd was complete again', () => {
  const [now, nowMs, hour] = [1_000_000n, 1_000_000_000, 3_600_000]
  const drawn = (delayMs: number) =>
    ({
      order: { status: 'delivering' },
      terms: { crowd: { min: 3, missed: 'refund' } },
      plan: { deliverAtMs: nowMs + delayMs, failures: 1 },
      note: { expiry: now + 85_800n },
    }) as OpenedOrder
  const stepAt = (delayMs: number, wallMs: number, clock = now) =>
    nextStep(drawn(delayMs), at(clock), wallMs, 120n)
  // No pause is longer than four hours, but a delay may be.
  for (const hours of [3, 5]) expect(stepAt(hours * hour, nowMs)).toBe('wait')
  expect(stepAt(5 * hour, nowMs + 5 * hour, now + 18_000n)).toBe('count_crowd')
  // The wall clock is an hour ahead of the chain.
  expect(stepAt(hour / 2, nowMs + hour)).toBe('wait')
  expect(stepAt(hour / 2, nowMs + hour, now + 1_680n)).toBe('count_crowd')
})

it('begins a refund, never a delivery, once the finalized clock has passed the expiry', () => {
  expect(nextStep(order('deposited'), at(EXPIRY + 1n), 0)).toBe('begin_refund')
  expect(nextStep(order('delivering'), at(EXPIRY + 1n), DUE_MS)).toBe('begin_refund')
})

it('refunds only at a grid time', () => {
  expect(nextStep(order('refunding'), at(EXPIRY + 599n), DUE_MS)).toBe('wait')
  expect(nextStep(order('refunding'), at(EXPIRY + 600n), DUE_MS)).toBe('refund')
})

it('if the note may already be settled, tries a refund only at a grid time', () => {
  const tried = (deliverAtMs: number) => ({
    ...order('deposited'),
    plan: { deliverAtMs, isRefundTried: true as const },
  })
  expect(nextStep(tried(DUE_MS), at(EXPIRY + 599n), DUE_MS)).toBe('wait')
  expect(nextStep(tried(DUE_MS), at(EXPIRY + 600n), DUE_MS)).toBe('refund')
  expect(nextStep(tried(DUE_MS + 15_000), at(EXPIRY + 600n), DUE_MS)).toBe('wait')
})

it('gives up a note if no refund can land any more', () => {
  const last = EXPIRY + REFUND_WINDOW_SECONDS + SKEW_SECONDS
  expect(nextStep(order('refunding'), at(last), DUE_MS)).toBe('refund')
  expect(nextStep(order('refunding'), at(last + 1n), DUE_MS)).toBe('give_up')
})

it('delivers and refunds at once if the drawn time is years ahead', () => {
  const aheadMs = 1_000 + 10 * 365 * 86_400_000
  const drawn = (status: OrderStatus) => ({ ...order(status), plan: { deliverAtMs: aheadMs } })
  expect(nextStep(drawn('deposited'), at(0n), DUE_MS)).toBe('deliver')
  expect(nextStep(drawn('refunding'), at(EXPIRY + 600n), DUE_MS)).toBe('refund')
})

it('keeps the pause after a failed try, even if the pause ends after the expiry', () => {
  const paused = (ms: number) => ({
    ...order('deposited'),
    plan: { deliverAtMs: DUE_MS + ms, failures: 3 },
  })
  expect(nextStep(paused(60_000), at(EXPIRY - 10n), DUE_MS)).toBe('wait')
  expect(nextStep(paused(0), at(EXPIRY - 10n), DUE_MS)).toBe('deliver')
  expect(nextStep(paused(14_400_001), at(EXPIRY - 10n), DUE_MS)).toBe('deliver')
})

it('delivers before the expiry if the drawn time is too close to the expiry', () => {
  const drawn = { ...order('deposited'), plan: { deliverAtMs: DUE_MS + 1_000_000 } }
  expect(nextStep(drawn, at(EXPIRY - 1_120n), DUE_MS)).toBe('wait')
  expect(nextStep(drawn, at(EXPIRY - 1_119n), DUE_MS)).toBe('deliver')
})

it('begins no refund if only the node’s clock is past the expiry', () => {
  const wallMs = 1_000 * Number(EXPIRY)
  const lie = at(EXPIRY + 90_000n)
  expect(nextStep(order('deposited'), lie, wallMs, 120n)).toBe('wait')
  expect(nextStep(order('deposited'), lie, wallMs + 121_000, 120n)).toBe('begin_refund')
  expect(nextStep(order('refunding'), at(EXPIRY + 600n), wallMs, 120n)).toBe('wait')
  const pastWindow = at(EXPIRY + REFUND_WINDOW_SECONDS + 1n)
  expect(nextStep(order('refunding'), pastWindow, wallMs + 121_000, 120n)).toBe('refund')
})

it('delivers before the drawn time only if the confirmed time is close to the expiry too', () => {
  const drawn = { ...order('deposited'), plan: { deliverAtMs: DUE_MS + 1_200_000 } }
  const lie = at(EXPIRY - 121n)
  expect(nextStep(drawn, lie, DUE_MS, undefined, unixSeconds(EXPIRY - 3_600n))).toBe('wait')
  expect(nextStep(drawn, lie, DUE_MS, undefined, lie.unixSeconds)).toBe('deliver')
})

describe('a transfer that waits for its crowd', () => {
  const END = EXPIRY - 600n
  const waiting = (missed: 'refund' | 'deliver', plan: Partial<OpenedOrder['plan']>) =>
    ({
      ...order('deposited'),
      terms: { crowd: { min: 3, missed } },
      plan: { deliverAtMs: DUE_MS, ...plan },
    }) as OpenedOrder

  it('needs a count of its crowd at the drawn time, and another at the delivery time', () => {
    const from = { crowdFromMs: 2_000, deliverAtMs: 6_000_000 }
    expect(nextStep(waiting('refund', from), at(0n), 1_999)).toBe('wait')
    expect(nextStep(waiting('refund', from), at(0n), 2_000)).toBe('count_crowd')
    expect(nextStep(waiting('refund', {}), at(0n), DUE_MS - 1)).toBe('wait')
    expect(nextStep(waiting('refund', {}), at(0n), DUE_MS)).toBe('count_crowd')
  })

  it('needs another count of its crowd before each further try', () => {
    const paused = { deliverAtMs: DUE_MS + 60_000, failures: 2 }
    expect(nextStep(waiting('refund', paused), at(0n), DUE_MS)).toBe('wait')
    expect(nextStep(waiting('refund', paused), at(0n), DUE_MS + 60_000)).toBe('count_crowd')
  })

  it('is never delivered after the end of the wait if it asks for a refund', () => {
    const late = { crowdFromMs: 2_000, deliverAtMs: DUE_MS }
    expect(nextStep(waiting('refund', late), at(END - 1n), 3_000)).toBe('count_crowd')
    expect(nextStep(waiting('refund', late), at(END), 3_000)).toBe('wait')
    expect(nextStep(waiting('refund', late), at(EXPIRY), 3_000)).toBe('wait')
    expect(nextStep(waiting('refund', late), at(EXPIRY + 1n), 3_000)).toBe('begin_refund')
  })

  it('keeps its plan if the crowd was complete but the delivery failed', () => {
    const met = waiting('refund', { failures: 1 })
    expect(nextStep(met, at(END), DUE_MS)).toBe('wait')
    expect(nextStep(met, at(EXPIRY + 1n), DUE_MS)).toBe('begin_refund')
    expect(missedCrowd(met)).toBeUndefined()
    expect(missedCrowd(waiting('refund', { crowdFromMs: 2_000 }))).toBe('crowd_missed')
  })

  it('is delivered at a random time after the end of the wait if it asks for a delivery without a crowd', () => {
    const late = { crowdFromMs: 2_000, deliverAtMs: DUE_MS + 300_000 }
    expect(nextStep(waiting('deliver', late), at(END), DUE_MS)).toBe('wait')
    expect(nextStep(waiting('deliver', late), at(END + 300n), DUE_MS + 300_000)).toBe('deliver')
  })

  it('needs a count of its crowd now if the drawn time of the count is years ahead', () => {
    const ahead = { crowdFromMs: DUE_MS + 10 * 365 * 86_400_000 }
    expect(nextStep(waiting('refund', ahead), at(0n), DUE_MS)).toBe('count_crowd')
  })
})
