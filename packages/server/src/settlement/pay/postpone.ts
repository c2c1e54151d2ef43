import { REFUND_WINDOW_SECONDS } from '@sotto/protocol'
import { encodePlan, type DeliveryPlan, type OutcomeReason } from '../../domain/order-secrets.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from './open-note.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** The first pause after a try that came to nothing, and the longest, in milliseconds. */
const PAUSE_FIRST_MS = 15_000
export const PAUSE_MAX_MS = 4 * 3_600_000
/** Time that the last try before the expiry, or the end of the refund window, has to prove and land. */
const LAST_TRY_SECONDS = 300n

/** The pause after so many tries that came to nothing, this one included: it doubles with each. */
export function pauseMs(failures: number): number {
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS)
}

/** True where a try has come to nothing before: such orders yield to the others. */
export const hasFailed = ({ plan }: Pick<OpenedOrder, 'plan'>): boolean => (plan.failures ?? 0) > 0

/** The chain's clock, and its last second at which a note can be paid so. */
export interface TimeLeft {
  readonly clock: bigint
  readonly end: bigint
}

/** What came of a try, and what bounds the next one. */
export interface Postponement extends TimeLeft {
  readonly reason?: OutcomeReason | undefined
}

/** When a delivery ends, by its expiry, or a refund, by the end of its window. */
export const endOf = (expiry: bigint, isRefund: boolean): bigint =>
  isRefund ? expiry + REFUND_WINDOW_SECONDS : expiry

/** The pause before the next try, in milliseconds. One that would outlast what is left ends shortly before its end. */
function waitMs(failures: number, { clock, end }: TimeLeft): number {
  const pause = pauseMs(failures)
  const leftMs = (end - clock - LAST_TRY_SECONDS) * 1_000n
  return leftMs > 0n && BigInt(pause) > leftMs ? wholeNumber(leftMs) : pause
}

/**
 * Puts an order off, for longer after each try that came to nothing, but never past the last moment to pay it;
 * with a reason, its refund will give it if nothing better comes before the expiry.
 */
export async function postpone(
  d: Pick<SettleDependencies, 'store' | 'clock'>,
  { order, secrets, plan }: OpenedOrder,
  lease: Lease,
  { reason, ...left }: Postponement,
): Promise<void> {
  const failures = (plan.failures ?? 0) + 1
  const deliverAtMs = d.clock.nowMs() + waitMs(failures, left)
  const next = { deliverAtMs, reason: reason ?? plan.reason, failures }
  await d.store.tryReplacePlan(lease, secrets.seal(order.orderId, 'plan', encodePlan(next)))
}

/**
 * The plan of an order whose attempt has died; undefined where its own plan stands. The first death isn't
 * the order's fault: clusters drop transactions. Of the later ones each second counts as a try that came to
 * nothing: a payee may let transactions fail that their relayer has paid for.
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
