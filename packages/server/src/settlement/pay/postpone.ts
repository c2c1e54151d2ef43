import { lastRefundClock, type UnixSeconds } from '@sotto/protocol'
import { encodePlan, type DeliveryPlan, type OutcomeReason } from '../../domain/order-secrets.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** The pause after the first failed try, and the longest pause, in milliseconds. */
const PAUSE_FIRST_MS = 15_000
export const PAUSE_MAX_MS = 4 * 3_600_000
/**
 * Seconds before the deadline at which the last try begins: see `endOf`. In these seconds, the settlement must be
 * proved and land.
 */
const LAST_TRY_SECONDS = 300n

/** True if this is the last try before the deadline. */
export const isLastTry = ({ clock, end }: TimeLeft): boolean => clock + LAST_TRY_SECONDS >= end

/**
 * Returns the pause after a number of failed tries, in milliseconds. Each failed try doubles the pause, up to
 * `PAUSE_MAX_MS`. `failures` includes the latest try.
 */
export function pauseMs(failures: number): number {
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS)
}

/** True if a try of the order has failed. Such orders are started after all others. */
export const hasFailed = ({ plan }: Pick<OpenedOrder, 'plan'>): boolean => (plan.failures ?? 0) > 0

/** The chain's clock, and the deadline of the delivery or refund. */
export interface TimeLeft {
  readonly clock: UnixSeconds
  readonly end: UnixSeconds
}

/** The result of a try, and the times that limit the pause after it. */
export interface Postponement extends TimeLeft {
  readonly reason?: OutcomeReason | undefined
  readonly waitsFor?: DeliveryPlan['waitsFor']
}

/** Returns the deadline: the expiry for a delivery; for a refund, the last second in which it can land. */
export const endOf = (expiry: UnixSeconds, isRefund: boolean): UnixSeconds =>
  isRefund ? lastRefundClock(expiry) : expiry

/**
 * Returns the pause before the next try, in milliseconds. The last try must begin `LAST_TRY_SECONDS` before the
 * deadline. A pause that would end later is shortened to end at that moment. If the clock is already past that moment,
 * the pause isn't shortened.
 */
function waitMs(failures: number, { clock, end }: TimeLeft): number {
  const pause = pauseMs(failures)
  const leftMs = (end - clock - LAST_TRY_SECONDS) * 1_000n
  return leftMs > 0n && BigInt(pause) > leftMs ? wholeNumber(leftMs) : pause
}

/**
 * Postpones an order. The pause grows with each failed try, but leaves time for a last try before the deadline: see
 * `waitMs`. If the order isn't paid before the expiry, its refund states the last given reason.
 */
export async function postpone(
  d: Pick<SettleDependencies, 'store' | 'clock'>,
  { order, secrets, plan }: OpenedOrder,
  lease: Lease,
  { reason, waitsFor, ...left }: Postponement,
): Promise<void> {
  const failures = (plan.failures ?? 0) + 1
  const deliverAtMs = d.clock.nowMs() + waitMs(failures, left)
  const { note, cost, isRefundTried } = plan
  const isPayeesFault = reason !== undefined || waitsFor !== undefined
  const firstDueMs = isPayeesFault ? undefined : firstDueOf(plan)
  const kept = { reason: reason ?? plan.reason, note, cost, isRefundTried, firstDueMs }
  const next = { ...kept, deliverAtMs, failures, waitsFor }
  const sealedPlan = secrets.seal(order.orderId, 'plan', encodePlan(next))
  await d.store.tryReplacePlan(lease, sealedPlan, order.sealedPlan)
}

/**
 * Returns the new plan of an order whose attempt is dead; undefined if the plan doesn't change. Clusters drop
 * transactions, so the first dead attempt isn't counted as a failed try. After that, every second dead attempt is
 * counted: a payee can make transactions fail in blocks, and the relayer pays for each of them.
 */
export function planAfterDeath(
  plan: DeliveryPlan,
  attemptNumber: number,
  nowMs: number,
  left: TimeLeft,
): DeliveryPlan | undefined {
  if (attemptNumber < 2) return undefined
  const failures = (plan.failures ?? 0) + (attemptNumber % 2 === 0 ? 1 : 0)
  const deliverAtMs = nowMs + waitMs(Math.max(1, failures), left)
  return { ...plan, deliverAtMs, failures, firstDueMs: firstDueOf(plan) }
}

/**
 * The time from which an order is due, in milliseconds since 1970: its first try that failed for a reason other than
 * its payee's account, or its next try.
 */
export const firstDueOf = ({ firstDueMs, deliverAtMs }: DeliveryPlan): number =>
  firstDueMs ?? deliverAtMs
