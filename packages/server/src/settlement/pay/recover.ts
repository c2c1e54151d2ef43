import type { Amount, UnixSeconds } from '@sotto/protocol'
import { NO_COST } from '../../domain/order-cost.ts'
import { encodePlan } from '../../domain/order-secrets.ts'
import type { FinalizedHead, SignedSettlement } from '../../ports/settlement-chain.ts'
import { broadcast } from './broadcast.ts'
import { liveAttemptOf } from './journal.ts'
import { raiseAfterDeath } from './offered-price.ts'
import { deliverableUntil, nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { endOf, planAfterDeath } from './postpone.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** The state of an attempt whose note has no Nullifier account at a finalized slot. */
type Verdict =
  | { readonly kind: 'dead' }
  | { readonly kind: 'live'; readonly wire: Uint8Array }
  | { readonly kind: 'unknown' }

type RecoverDependencies = Pick<
  SettleDependencies,
  'chain' | 'store' | 'log' | 'clock' | 'broadcasts' | 'attemptAges' | 'prices'
>

/**
 * Judges an order's live attempt and acts on the verdict. If the verdict is uncertain, the order isn't paid (invariant
 * I7).
 */
export async function recover(
  d: RecoverDependencies,
  opened: OpenedOrder,
  head: FinalizedHead,
): Promise<void> {
  const { order } = opened
  if (order.attempt === undefined) return
  const attempt = liveAttemptOf(d.log, opened)
  const { number } = order.attempt
  const verdict = judge(d, opened, attempt, number, head)
  switch (verdict.kind) {
    case 'dead':
      // The attempt is dead, so the order can get another attempt or its refund.
      return markDead(d, opened, number, head.unixSeconds, await costOf(d, opened, attempt, number))
    case 'live':
      if (!d.broadcasts.isDue(order.orderId, d.clock.nowMs())) return
      d.broadcasts.rest(order.orderId, d.clock.nowMs())
      return broadcast(d, verdict.wire)
    case 'unknown':
      return d.log.alert('attempt_unknown', nameOf(opened))
  }
}

/**
 * Returns the lamports of priority fee that the order's attempts may have cost, including the dead attempt. Also raises
 * the price of all transactions if the dead attempt seems to have offered too little.
 */
async function costOf(
  d: RecoverDependencies,
  { plan }: OpenedOrder,
  attempt: ReturnType<typeof liveAttemptOf>,
  number: number,
): Promise<Amount> {
  const cost = plan.cost ?? NO_COST
  if (attempt?.step === undefined) return cost
  return raiseAfterDeath(d, { signature: attempt.signature, step: attempt.step, number, cost })
}

async function markDead(
  d: Pick<SettleDependencies, 'store' | 'log' | 'clock'>,
  opened: OpenedOrder,
  number: number,
  clock: UnixSeconds,
  cost: Amount,
): Promise<void> {
  const { order, secrets, plan, note } = opened
  const isRefund = order.attempt?.kind === 'refund'
  const end = isRefund ? endOf(note.expiry, true) : deliverableUntil(opened)
  const isCostHigher = cost > (plan.cost ?? NO_COST)
  const paid = isCostHigher ? { ...plan, cost } : plan
  const next =
    planAfterDeath(paid, number, d.clock.nowMs(), { clock, end }) ??
    (isCostHigher ? paid : undefined)
  const plans = next && {
    sealedPlan: secrets.seal(order.orderId, 'plan', encodePlan(next)),
    readPlan: order.sealedPlan,
  }
  if (await d.store.tryMarkDead(order, number, plans)) d.log.event('attempt_dead')
}

/**
 * Judges an attempt whose note had no Nullifier account at the head's finalized slot or later. If the head is past the
 * last block height at which the attempt is valid, the attempt can't land any more. The same applies if the attempt is
 * older than any valid blockhash. This second condition is needed because a node may have shown a false last valid
 * height. Until one of these two conditions is met, the order isn't paid again. If the attempt's record can't be
 * opened, only its age counts.
 */
function judge(
  d: Pick<SettleDependencies, 'attemptAges'>,
  opened: OpenedOrder,
  attempt: SignedSettlement | undefined,
  number: number,
  head: FinalizedHead,
): Verdict {
  const isPast = d.attemptAges.isPast(opened.order.orderId, number, head.blockHeight)
  if (attempt === undefined) return { kind: isPast ? 'dead' : 'unknown' }
  const isDead = isPast || head.blockHeight > attempt.lastValidBlockHeight
  return isDead ? { kind: 'dead' } : { kind: 'live', wire: attempt.wire }
}
