import type { ChainEvent, OrderStatusRecord, OrderSummary } from '@sotto/contract'
import type { UnixSeconds } from '@sotto/protocol'
import { livesLikeBalance } from '../../domain/balance.ts'
import { secondsLeft, type ArrivalSeconds } from '../../domain/delivery-schedule.ts'
import {
  decodeOutcome,
  decodePlan,
  decodeTerms,
  type SealedTerms,
} from '../../domain/order-secrets.ts'
import { isFinal, isRefunding } from '../../domain/order-state.ts'
import { chanceText } from '../../domain/state-quote.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { FollowedHead, StoredOrder } from '../../ports/order-store.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import { isoOfMs, isoOfSeconds } from '../iso-time.ts'

/**
 * Renders the status record. The epoch's secrets are destroyed some time after the order's end. After that, only the
 * unsealed data remains, which has no delivery, no refund and no exact time of either.
 */
export function renderStatus(
  order: StoredOrder,
  followed: FollowedHead | undefined,
  secrets: EpochSecrets | undefined,
  nowMs: number,
  arrivalSeconds: ArrivalSeconds,
): OrderStatusRecord {
  const settled = settlementOf(order, secrets)
  const terms = termsOf(order, secrets)
  return {
    ...renderSummary(order, secrets),
    eta: etaOf(order, secrets, terms, nowMs, arrivalSeconds),
    nextAction: isOpenBalance(order, terms) ? 'none' : nextActionOf(order, followed),
    deposit: depositOf(order),
    delivery: settled?.kind === 'delivery' ? settled.event : null,
    refund: settled?.kind === 'refund' ? settled.event : null,
    ...(terms?.linkProbability === undefined
      ? {}
      : { linkProbability: chanceText(terms.linkProbability) }),
  }
}

/** The order's sealed terms; undefined once they or their key are destroyed. */
function termsOf(
  { id, sealedTerms }: StoredOrder,
  secrets: EpochSecrets | undefined,
): SealedTerms | undefined {
  if (secrets === undefined || sealedTerms.length === 0) return undefined
  return decodeTerms(secrets.open(id, 'terms', sealedTerms))
}

/**
 * Renders the part of an order's status record that lists of orders contain too. Without the epoch's secrets, the
 * `deliverBy` of a balance is its first end, before payments postponed it.
 */
export function renderSummary(order: StoredOrder, secrets: EpochSecrets | undefined): OrderSummary {
  return {
    trackingId: encodeTrackingId(order.id),
    status: order.status,
    final: isFinal(order.status),
    sourceAssetId: order.sourceMint,
    destinationAssetId: order.destinationMint,
    amountIn: `${order.amountIn}`,
    amountOut: `${order.amountOut}`,
    createdAt: isoOfMs(order.createdAtMs),
    updatedAt: isoOfMs(order.updatedAtMs),
    expiration: isoOfSeconds(order.deadline),
    payableUntil: isoOfSeconds(order.validUntil),
    deliverBy: isoOfSeconds(endOf(order, secrets)),
    ...(order.reference === undefined ? {} : { reference: order.reference }),
  }
}

/** Returns an order's expiry. For a balance, returns the end that payments have postponed. */
function endOf(order: StoredOrder, secrets: EpochSecrets | undefined): UnixSeconds {
  const { id, sealedPlan, expiry } = order
  if (secrets === undefined || !livesLikeBalance(order)) return expiry
  if (sealedPlan === undefined || sealedPlan.length === 0) return expiry
  return decodePlan(secrets.open(id, 'plan', sealedPlan)).note?.expiry ?? expiry
}

function depositOf({ deposit, sourceMint, amountIn }: StoredOrder): ChainEvent | null {
  if (deposit === undefined) return null
  return {
    signature: deposit.signature ?? null,
    slot: deposit.slot === undefined ? null : wholeNumber(deposit.slot),
    at: isoOfSeconds(deposit.unixSeconds),
    assetId: sourceMint,
    amount: `${amountIn}`,
  }
}

export function settlementOf(
  order: Pick<StoredOrder, 'id' | 'sealedOutcome'>,
  secrets: EpochSecrets | undefined,
) {
  if (secrets === undefined || order.sealedOutcome === undefined) return undefined
  const outcome = decodeOutcome(secrets.open(order.id, 'outcome', order.sealedOutcome))
  const event: ChainEvent = {
    signature: outcome.signature ?? null,
    slot: outcome.slot === undefined ? null : wholeNumber(outcome.slot),
    at: isoOfSeconds(outcome.unixSeconds),
    assetId: outcome.assetId,
    amount: outcome.amount === undefined ? null : `${outcome.amount}`,
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
  }
  return { kind: outcome.kind, event }
}

/** Expected seconds until the funds arrive. Once the deposit is final, they count down to the drawn delivery time. */
function etaOf(
  order: StoredOrder,
  secrets: EpochSecrets | undefined,
  terms: SealedTerms | undefined,
  nowMs: number,
  arrivalSeconds: ArrivalSeconds,
): number {
  if (isFinal(order.status) || secrets === undefined || isOpenBalance(order, terms)) return 0
  if (order.sealedPlan === undefined) {
    if (terms === undefined) return 0
    // While a transfer may wait for its crowd, only the end of the wait is known.
    if (terms.crowd !== undefined) return secondsLeft(wholeNumber(order.expiry * 1_000n), nowMs)
    return arrivalSeconds(terms.owner === undefined ? terms : 'top_up')
  }
  const plan = decodePlan(secrets.open(order.id, 'plan', order.sealedPlan))
  // An order that can't be delivered is refunded after its expiry. For a refund that waits, `deliverAtMs` is the time
  // of the next attempt.
  const isHeldBack = plan.reason !== undefined && !isRefunding({ order, plan })
  const dueMs = isHeldBack ? wholeNumber(order.expiry * 1_000n) : plan.deliverAtMs
  return secondsLeft(dueMs, nowMs)
}

/** True for a balance that can be used. No delivery follows, and the sender needs to do nothing. */
function isOpenBalance({ status }: StoredOrder, terms: SealedTerms | undefined): boolean {
  return status === 'deposited' && terms?.owner !== undefined
}

/**
 * The client's next action. `refresh` is returned only if the newest transaction certainly can't land and no deposit
 * was seen.
 */
function nextActionOf(
  order: StoredOrder,
  followed: FollowedHead | undefined,
): OrderStatusRecord['nextAction'] {
  if (isFinal(order.status)) return 'none'
  if (order.status !== 'awaiting_deposit' || order.isDepositSeen) return 'wait'
  if (followed === undefined) return 'sign'
  // After `validUntil` no deposit can land. The order ends as soon as the finalized chain proves that its time has
  // passed.
  if (followed.unixSeconds > order.validUntil) return 'wait'
  return followed.blockHeight > order.lastValidBlockHeight ? 'refresh' : 'sign'
}
