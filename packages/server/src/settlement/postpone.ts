import { encodePlan, type DeliveryPlan, type OutcomeReason } from '../domain/order-secrets.ts'
import { wholeNumber } from '../domain/whole-number.ts'
import type { Lease } from '../ports/settle-store.ts'
import type { OpenedOrder } from './open-note.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** The first pause after a try that came to nothing, and the longest, in milliseconds. */
const PAUSE_FIRST_MS = 15_000
export const PAUSE_MAX_MS = 4 * 3_600_000
/** Time that a last try before the expiry has to prove and land. */
const LAST_TRY_SECONDS = 300n

/** The pause after so many tries that came to nothing, this one included: it doubles with each. */
export function pauseMs(failures: number): number {
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS)
}

/** True where a try has come to nothing before: such orders yield to the others. */
export const hasFailed = ({ plan }: Pick<OpenedOrder, 'plan'>): boolean => (plan.failures ?? 0) > 0

/** What came of a try, and what bounds the next one. */
export interface Postponement {
  readonly reason?: OutcomeReason | undefined
  /** The chain's clock, of a delivery: one more try is made shortly before the expiry. */
  readonly clock?: bigint | undefined
}

/**
 * Puts an order off, for longer after each try that came to nothing; with a reason, its refund will give it
 * if nothing better comes before the expiry.
 */
export async function postpone(
  d: Pick<SettleDependencies, 'store' | 'clock'>,
  { order, secrets, plan, note }: OpenedOrder,
  lease: Lease,
  { reason, clock }: Postponement,
): Promise<void> {
  const failures = (plan.failures ?? 0) + 1
  const leftSeconds = clock === undefined ? 0n : note.expiry - clock - LAST_TRY_SECONDS
  const pause = pauseMs(failures)
  const isTooLong = leftSeconds > 0n && BigInt(pause) > leftSeconds * 1_000n
  const waitMs = isTooLong ? wholeNumber(leftSeconds * 1_000n) : pause
  const next = { deliverAtMs: d.clock.nowMs() + waitMs, reason: reason ?? plan.reason, failures }
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
): DeliveryPlan | undefined {
  if (attemptNumber < 2) return undefined
  const failures = (plan.failures ?? 0) + (attemptNumber % 2 === 0 ? 1 : 0)
  return { ...plan, deliverAtMs: nowMs + pauseMs(Math.max(1, failures)), failures }
}
