import { delaysLeft } from '../../domain/delivery-schedule.ts'
import { decodeTerms, encodePlan } from '../../domain/order-secrets.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  AwaitingOrder,
  DepositedTerms,
  FollowStore,
  RecordedDeposit,
} from '../../ports/settlement-store.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { LandedDeposit } from './landed-deposit.ts'
import { hexOf } from '../../domain/hex.ts'

/** Time that every drawn delay leaves before the expiry: enough to prove and land several times. */
const BEFORE_EXPIRY_SECONDS = 600n
/** Marks a plan that isn't drawn yet. */
export const UNPLANNED = new Uint8Array(0)

export interface PlanDependencies {
  readonly store: FollowStore
  readonly secrets: Secrets
  readonly random: Random
  readonly clock: Clock
  readonly log: SettlementLog
}

/**
 * Selects our orders' deposits among those that landed and draws a random delivery time for each, within the
 * rest of its order's window by the chain's clock. The time is sealed before it is first written, because it
 * would join the two sides. A delivery that can't be planned now is drawn later and doesn't block the others.
 */
export async function planDeliveries(
  d: PlanDependencies,
  landed: readonly LandedDeposit[],
  nowSeconds: bigint,
): Promise<RecordedDeposit[]> {
  if (landed.length === 0) return []
  const orders = await d.store.readAwaiting(landed.map(({ deposit }) => deposit.orderId))
  const byId = new Map(orders.map((order) => [hexOf(order.orderId), order]))
  const planned = new Map<string, RecordedDeposit>()
  for (const one of landed) {
    const key = hexOf(one.deposit.orderId)
    const order = byId.get(key)
    // The first note that opens is the order's; a later one with the same id belongs to no order.
    if (order === undefined || planned.has(key)) continue
    const { deposit, signature, slot, unixSeconds, leafIndex } = one
    const isAsOrdered = carriesTerms(deposit, order)
    // The program accepted this deposit, so an authoriser signed it, but not for this service.
    if (!isAsOrdered) d.log.alert('deposit_terms_differ')
    // This order's ticket can't open that note, so it isn't the order's.
    if (deposit.inner !== order.inner) continue
    const adopted = isAsOrdered ? undefined : termsOf(deposit)
    const sealedPlan = await planOf(d, { ...order, ...adopted }, nowSeconds)
    const { orderId } = order
    planned.set(key, { orderId, signature, slot, unixSeconds, leafIndex, sealedPlan, adopted })
  }
  return [...planned.values()]
}

async function planOf(
  d: PlanDependencies,
  order: AwaitingOrder,
  nowSeconds: bigint,
): Promise<Uint8Array> {
  try {
    const secrets = await d.secrets.read(order.epoch)
    if (secrets !== undefined) return drawPlan(d, order, secrets, nowSeconds)
  } catch (error) {
    d.log.failed('plan', error)
  }
  d.log.alert('secrets_missing')
  return UNPLANNED
}

/** What a sealed plan needs of an order. */
interface Plannable {
  readonly orderId: Uint8Array
  readonly sealedTerms: Uint8Array
  readonly expiry: bigint
}

/** Draws a note's delivery time, given the chain's time. @throws Error if the seals don't open. */
export function drawPlan(
  d: Pick<PlanDependencies, 'random' | 'clock'>,
  order: Plannable,
  secrets: EpochSecrets,
  nowSeconds: bigint,
): Uint8Array {
  const terms = decodeTerms(secrets.open(order.orderId, 'terms', order.sealedTerms))
  const room = order.expiry - nowSeconds - BEFORE_EXPIRY_SECONDS
  const { minDelaySeconds, maxDelaySeconds } = delaysLeft(terms, room)
  const spreadMs = (maxDelaySeconds - minDelaySeconds) * 1_000
  const delayMs = minDelaySeconds * 1_000 + d.random.below(spreadMs + 1)
  return secrets.seal(order.orderId, 'plan', encodePlan({ deliverAtMs: d.clock.nowMs() + delayMs }))
}

function termsOf(deposit: LandedDeposit['deposit']): DepositedTerms {
  const { sender, sourceMint, destinationMint, amountIn, amountOut } = deposit
  const { fee, partnerFee, deadline, expiry } = deposit
  return {
    ...{ sender, sourceMint, destinationMint, amountIn, amountOut },
    ...{ fee, partnerFee, deadline, expiry },
  }
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
