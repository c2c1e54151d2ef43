import type { UnixSeconds } from '@sotto/protocol'
import { BEFORE_EXPIRY_SECONDS } from '../../domain/crowd.ts'
import {
  delaysLeft,
  meanDelayMs,
  type DelayLaw,
  type Delays,
} from '../../domain/delivery-schedule.ts'
import { drawDelayMs } from '../../domain/draw-delay.ts'
import { boundedWallMs } from '../../domain/followed-slot.ts'
import { decodeTerms, encodePlan } from '../../domain/order-secrets.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AwaitingOrder, FollowStore, RecordedDeposit } from '../../ports/settlement-store.ts'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'
import { provenDeposits, type ProvenDependencies } from './proven-deposits.ts'
import { firstCountWithin, waitForCrowd, type DrawTime } from './wait-for-crowd.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/** The stored plan of an order whose delivery time hasn't been drawn yet. */
export const UNPLANNED = new Uint8Array(0)

/**
 * The deposits of this service's orders that a step found. `undeposited` has the ids of orders that provably have no
 * deposit.
 */
export interface FoundDeposits {
  readonly deposits: readonly RecordedDeposit[]
  readonly undeposited: readonly Uint8Array[]
}

export interface PlanDependencies {
  readonly store: FollowStore
  readonly secrets: Secrets
  readonly random: Random
  readonly clock: Clock
  readonly log: SettlementLog
  readonly delayLaw: DelayLaw
  /** See `SettlementSettings`. */
  readonly clockMarginSeconds?: bigint | undefined
}

/** New leaves of the tree. */
export interface FreshLeaves {
  /** The index of the first new leaf, which is the number of leaves before it. */
  readonly keep: number
  readonly leaves: readonly bigint[]
}

/** The head up to which the tree is followed, and the chain's time as far as the wall clock confirms it. */
interface FollowedTo {
  readonly head: FinalizedHead
  readonly nowSeconds: UnixSeconds
}

/**
 * Finds our orders' leaves among the new leaves, and draws a random delivery time for each of these orders. By the
 * chain's clock, the time is within the rest of the order's delivery window. A readable time would link the deposit to
 * the delivery, so the time is sealed before it is written. If a time can't be drawn now, it is drawn later, and the
 * other orders continue. The rest of the window is computed from `nowSeconds`, because a node could show a false clock
 * near the expiry. With such a clock, no delay would be left, and the delivery would follow the deposit at once.
 */
export async function planDeliveries(
  d: PlanDependencies & ProvenDependencies,
  { keep, leaves }: FreshLeaves,
  { head, nowSeconds }: FollowedTo,
  leafAt: (index: number) => bigint | undefined,
): Promise<FoundDeposits> {
  const indexes = new Map<bigint, number>()
  // An attacker with a stolen authoriser key can make two deposits with the same leaf. The first of them belongs to the
  // order.
  for (const [place, leaf] of leaves.entries()) {
    if (!indexes.has(leaf)) indexes.set(leaf, keep + place)
  }
  const awaiting = leaves.length === 0 ? [] : await d.store.readAwaiting([...indexes.keys()])
  const arrived = new Map(
    (await d.store.listArrived(nowSeconds)).map((order) => [order.leaf, order]),
  )
  for (const order of awaiting) {
    const leafIndex = indexes.get(order.leaf)
    if (leafIndex !== undefined) arrived.set(order.leaf, { ...order, leafIndex })
  }
  const { deposited, undeposited } = await provenDeposits(d, [...arrived.values()], head, leafAt)
  const ms = boundedWallMs(d.clock.nowMs(), head.unixSeconds, d.clockMarginSeconds)
  const deposits: RecordedDeposit[] = []
  for (const order of deposited) {
    const { orderId, leafIndex } = order
    deposits.push({
      orderId,
      leafIndex,
      sealedPlan: await planOf(d, order, { seconds: nowSeconds, ms }),
    })
  }
  return { deposits, undeposited }
}

async function planOf(
  d: PlanDependencies,
  order: AwaitingOrder,
  now: DrawTime,
): Promise<Uint8Array> {
  try {
    const secrets = await d.secrets.read(order.epoch)
    if (secrets !== undefined) return drawPlan(d, order, secrets, now)
  } catch (error) {
    d.log.failed('plan', error)
  }
  d.log.alert('secrets_missing')
  return UNPLANNED
}

/** The data of an order from which its plan is drawn. */
interface Plannable {
  readonly orderId: Uint8Array
  readonly sealedTerms: Uint8Array
  readonly expiry: UnixSeconds
}

/**
 * Draws the delivery time of a note. If the transfer waits for a crowd, the drawn time is the time of the first count
 * of the crowd. Returns the sealed plan.
 *
 * @throws Error if the order's sealed data can't be opened.
 */
export function drawPlan(
  d: DrawDependencies,
  order: Plannable,
  secrets: EpochSecrets,
  now: DrawTime,
): Uint8Array {
  const terms = decodeTerms(secrets.open(order.orderId, 'terms', order.sealedTerms))
  const room = roomSeconds(order.expiry, now.seconds)
  const first = terms.crowd && firstCountWithin(d.delayLaw, terms, room)
  const drawnMs = now.ms + drawDelay(d, terms, first?.seconds ?? room)
  const plan =
    terms.crowd === undefined || first?.isOnly === true
      ? { deliverAtMs: drawnMs }
      : waitForCrowd(d, terms.crowd, drawnMs, order.expiry, now)
  return secrets.seal(order.orderId, 'plan', encodePlan(plan))
}

export type DrawDependencies = Pick<PlanDependencies, 'random' | 'delayLaw'>

/**
 * Returns the number of seconds, by the chain's clock, in which the delivery may still start. The number is negative
 * for an order whose deposit is recorded late.
 */
export const roomSeconds = (expiry: UnixSeconds, nowSeconds: UnixSeconds): bigint =>
  expiry - nowSeconds - BEFORE_EXPIRY_SECONDS

/**
 * Draws a delay of at most `room` seconds, and returns it in milliseconds. The delay starts now, not at the quote. So
 * an order that is paid late gets a delay from the whole window, if its expiry leaves enough time.
 */
export function drawDelay(
  d: Pick<DrawDependencies, 'random' | 'delayLaw'>,
  asked: Delays,
  room: bigint,
): number {
  const { minDelaySeconds, maxDelaySeconds } = delaysLeft(asked, room)
  const widthMs = (maxDelaySeconds - minDelaySeconds) * 1_000
  // The mean of the whole requested window is used, even if less of this window is left. So the chance of a delivery in
  // a given second stays the same.
  return minDelaySeconds * 1_000 + drawDelayMs(d.random, widthMs, meanDelayMs(d.delayLaw, asked))
}
