import { decodeTerms, encodePlan, type SealedTerms } from '../domain/order-secrets.ts'
import type { Clock } from '../ports/clock.ts'
import type { AwaitingOrder, FollowStore, RecordedDeposit } from '../ports/follow-store.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { LandedDeposit } from './landed-deposit.ts'
import { orderKey } from './order-key.ts'

/** Time to prove and land, several times over if need be, that every drawn delay leaves. */
const BEFORE_EXPIRY_SECONDS = 600n

export interface PlanDependencies {
  readonly store: FollowStore
  readonly secrets: Secrets
  readonly random: Random
  readonly clock: Clock
  readonly log: SettlementLog
}

/**
 * Of deposits that landed, those of our orders, each with a delivery time drawn at random within the
 * order's window. The time is sealed before it is first written: it would join the two sides.
 */
export async function planDeliveries(
  d: PlanDependencies,
  landed: readonly LandedDeposit[],
): Promise<RecordedDeposit[]> {
  if (landed.length === 0) return []
  const orders = await d.store.readAwaiting(landed.map(({ deposit }) => deposit.orderId))
  const byId = new Map(orders.map((order) => [orderKey(order.orderId), order]))
  const planned: RecordedDeposit[] = []
  for (const one of landed) {
    const order = byId.get(orderKey(one.deposit.orderId))
    if (order === undefined) continue
    const sealedPlan = await planOf(d, order, one)
    if (sealedPlan === undefined) continue
    const { signature, slot, unixSeconds, leafIndex } = one
    planned.push({ orderId: order.orderId, signature, slot, unixSeconds, leafIndex, sealedPlan })
  }
  return planned
}

async function planOf(
  d: PlanDependencies,
  order: AwaitingOrder,
  { deposit, unixSeconds }: LandedDeposit,
): Promise<Uint8Array | undefined> {
  // The program let this deposit through, so an authoriser signed it; that wasn't this service.
  if (!carriesTerms(deposit, order)) {
    d.log.alert('deposit_terms_differ')
    return undefined
  }
  const secrets = await d.secrets.read(order.epoch)
  if (secrets === undefined) {
    d.log.alert('secrets_missing')
    return undefined
  }
  const room = order.expiry - unixSeconds - BEFORE_EXPIRY_SECONDS
  const terms = decodeTerms(secrets.open(order.orderId, 'terms', order.sealedTerms))
  const plan = encodePlan({ deliverAtMs: d.clock.nowMs() + drawDelayMs(d.random, terms, room) })
  return secrets.seal(order.orderId, 'plan', plan)
}

function carriesTerms(deposit: LandedDeposit['deposit'], order: AwaitingOrder): boolean {
  return (
    deposit.sender === order.sender &&
    deposit.sourceMint === order.sourceMint &&
    deposit.destinationMint === order.destinationMint &&
    deposit.amountIn === order.amountIn &&
    deposit.amountOut === order.amountOut &&
    deposit.fee === order.fee &&
    deposit.partnerFee === order.partnerFee &&
    deposit.deadline === order.deadline &&
    deposit.expiry === order.expiry &&
    deposit.inner === order.inner
  )
}

/** A delay within the order's bounds; one that could reach its expiry shrinks to the least. */
function drawDelayMs(random: Random, terms: SealedTerms, roomSeconds: bigint): number {
  const { minDelaySeconds, maxDelaySeconds } = terms
  const isRoomy = BigInt(maxDelaySeconds) <= roomSeconds
  const spreadMs = isRoomy ? (maxDelaySeconds - minDelaySeconds) * 1_000 : 0
  return minDelaySeconds * 1_000 + random.below(spreadMs + 1)
}
