import { REFUND_WINDOW_SECONDS, type UnixSeconds, unixSeconds } from '@sotto/protocol'
import { encodePlan, type DeliveryPlan, type OutcomeReason } from '../../domain/order-secrets.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from './opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** The first pause after a failed try, and the longest, in milliseconds. */
const PAUSE_FIRST_MS = 15_000
export const PAUSE_MAX_MS = 4 * 3_600_000
/**
 * How long before the expiry, or before the end of the refund window, the last try begins. It must be proved and land
 * in this time.
 */
const LAST_TRY_SECONDS = 300n

/** The pause after this many failed tries, including the latest. It doubles with each failed try. */
export function pauseMs(failures: number): number {
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS)
}

/** True if a try has failed before. Such orders come after the others. */
export const hasFailed = ({ plan }: Pick<OpenedOrder, 'plan'>): boolean => (plan.failures ?? 0) > 0

/** The chain's clock, and the last second at which this kind of payment is possible. */
export interface TimeLeft {
  readonly clock: UnixSeconds
  readonly end: UnixSeconds
}

/** The result of a try, and the bounds of the next one. */
export interface Postponement extends TimeLeft {
  readonly reason?: OutcomeReason | undefined
  readonly waitsFor?: DeliveryPlan['waitsFor']
}

/** The deadline of a delivery (its expiry) or of a refund (the end of its window). */
export const endOf = (expiry: UnixSeconds, isRefund: boolean): UnixSeconds =>
  isRefund ? unixSeconds(expiry + REFUND_WINDOW_SECONDS) : expiry

/**
 * The pause before the next try, in milliseconds. A pause that would last beyond the deadline ends shortly before it.
 */
function waitMs(failures: number, { clock, end }: TimeLeft): number {
  const pause = pauseMs(failures)
  const leftMs = (end - clock - LAST_TRY_SECONDS) * 1_000n
  return leftMs > 0n && BigInt(pause) > leftMs ? wholeNumber(leftMs) : pause
}

/**
 * Postpones an order, for longer after each failed try, but never past the last moment to pay it. If a reason is given
 * and the order isn't paid before the expiry, the order's refund states that reason.
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
  const kept = { reason: reason ?? plan.reason, note, cost, isRefundTried }
  const next = { ...kept, deliverAtMs, failures, waitsFor }
  const sealedPlan = secrets.seal(order.orderId, 'plan', encodePlan(next))
  await d.store.tryReplacePlan(lease, sealedPlan, order.sealedPlan)
}

/**
 * The new plan of an order whose attempt has died; undefined if its plan doesn't change. The first dead attempt doesn't
 * count, because clusters drop transactions. After that, every second dead attempt counts as a failed try, because a
 * payee may make transactions fail for which a relayer has paid.
 */
export function planAfterDeath(
  plan: DeliveryPlan,
  attemptNumber: number,
  nowMs: number,
  left: TimeLeft,
): DeliveryPlan | undefined {
  if (attemptNumber < 2) return undefined
  const failures = (plan.failures ?? 0) + (attemptNumber % 2 === 0 ? 1 : 0)
  return { ...plan, deliverAtMs: nowMs + waitMs(Math.max(1, failures), left), failures }
}
