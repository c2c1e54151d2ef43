import { ceilToGrid, lastRefundClock, unitPriceOf, type UnixSeconds } from '@sotto/protocol'
import { DUE_SOON_SECONDS, REPORTED_MS } from '../../domain/delivery-schedule.ts'
import { boundedWallMs } from '../../domain/followed-slot.ts'
import { isRefunding } from '../../domain/order-state.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettlementGauges } from '../../ports/settlement-gauges.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { Signer } from '../../ports/signer.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import {
  deliverableUntil,
  isBalance,
  isLeftToOwner,
  missedCrowd,
  type OpenedOrder,
} from '../notes/opened-order.ts'
import { offeredStep, type PriceLimits } from '../pay/offered-price.ts'
import { firstDueOf, hasFailed } from '../pay/postpone.ts'
import type { ProofQueue } from '../pay/proof-queue.ts'
import { affordable, ordersFor, priorityLamportsMax } from '../../domain/settlement-cost.ts'

const HOUR_MS = 3_600_000
/**
 * The values of the reported lateness, in seconds. An exact lateness would reveal when an order was paid, so the values
 * are coarse.
 */
const LATE_STEPS = [0, 300, 900, 3_600, 21_600, 86_400] as const

export interface WatchDependencies {
  readonly chain: ChainPay
  readonly store: SettlementStore
  readonly relayers: readonly Signer[]
  readonly clock: Clock
  readonly log: SettlementLog
  readonly opener: NoteOpener
  readonly proofQueue: ProofQueue
  /** The name of this worker. */
  readonly workerId: string
  readonly gauges?: SettlementGauges
  readonly prices: PriceLimits
  /** See `SettlementSettings`. */
  readonly clockMarginSeconds?: bigint | undefined
}

/**
 * Compares the orders that may need a settlement now with the number of settlements that the relayers can pay for. If
 * that number is too small, new orders are refused, long before a delivery could fail. After an operator has topped up
 * the relayers, new orders are admitted again automatically.
 *
 * The step also reports how many more orders the relayers could pay for. Each account's unpaid orders are limited to a
 * share of this number, so that one account can't stop the orders of others. The reports contain no addresses.
 */
export async function watchRelayers(d: WatchDependencies): Promise<void> {
  const nowMs = d.clock.nowMs()
  // The provers are reported before the node is asked. If the node fails, orders wait, and quotes must take the waiting
  // orders into account.
  const { open, opened, paying } = await reportProvers(d, nowMs, nowMs)
  const wallets = d.relayers.map(({ address }) => address)
  const { balances, lamportsPerByte } = await d.chain.readBalances(wallets)
  const clock = (await d.store.readCursor()).unixSeconds
  const payable = await d.store.countPayable(clock)
  const prices = { lamportsPerByte, priority: priorityLamportsMax(d.prices) }
  const settlements = affordable(balances, prices)
  const step = await offeredStep(d)
  const needing = [...opened, ...paying].filter((one) => mayNeedSettlement(one, clock)).length
  const freeOrders = freeFor(settlements, needing + open - opened.length)
  const isLiquid = freeOrders > 0
  if (!isLiquid) d.log.alert('relayers_low')
  await d.store.recordLiquidity({ isLiquid, freeOrders, atMs: nowMs })
  const { lastDeliveryHourMs } = await d.store.readLedger()
  if (d.gauges === undefined) return
  // If this worker's clock is ahead of the chain's clock, orders that still wait must not count as overdue. But one node
  // that shows an old clock must not hide that orders are overdue, so the followed clock counts too.
  const shown = await d.chain.readClock()
  const countedMs = boundedWallMs(nowMs, shown > clock ? shown : clock, d.clockMarginSeconds)
  d.gauges.report({
    balances,
    affordableOf: balances.map((one) => affordable([one], prices)),
    affordable: settlements,
    isLiquid,
    unitPrice: unitPriceOf(step),
    isPriceAtCeiling: step >= d.prices.ceiling,
    open,
    payable,
    overdueSeconds: overdueSeconds([...opened, ...paying], countedMs),
    lastDeliveryHours:
      lastDeliveryHourMs === undefined
        ? undefined
        : Math.max(0, Math.floor((nowMs - lastDeliveryHourMs) / HOUR_MS)),
  })
}

interface OpenWork {
  /** The number of open orders, including orders whose sealed data can't be decrypted now. */
  readonly open: number
  readonly opened: readonly OpenedOrder[]
  readonly paying: readonly OpenedOrder[]
}

/**
 * Records this worker's provers and their queue as of `nowMs`, with the date `atMs`. Returns the open orders and
 * payments.
 */
async function reportProvers(d: WatchDependencies, nowMs: number, atMs: number): Promise<OpenWork> {
  const open = await d.store.listOpen()
  const opened = await d.opener.openAll(open)
  const paying = await d.opener.openPayments(await d.store.listPayments())
  await d.store.recordProvers({
    worker: d.workerId,
    openOrders: [...opened, ...paying].filter((one) => isWaiting(one, nowMs)).length,
    proofsPerHour: d.proofQueue.proofsPerHour,
    atMs,
  })
  return { open: open.length, opened, paying }
}

/**
 * Called when this worker stops. Reports the worker's provers with an old date, so that they don't count once other
 * workers report theirs. Until another worker reports, this worker's queue still counts.
 */
export async function retireProvers(d: WatchDependencies): Promise<void> {
  const nowMs = d.clock.nowMs()
  try {
    await reportProvers(d, nowMs, nowMs - REPORTED_MS - 1)
  } catch (error) {
    d.log.failed('relayers', error)
  }
}

/**
 * True for an order or payment that needs a prover soon. A balance isn't counted, because it needs no proof before its
 * end. An order that can't be paid now, or is due later, doesn't delay other orders. Nor does a payment whose signature
 * has expired, although it may stay open for a week.
 */
const isWaiting = (opened: OpenedOrder, nowMs: number): boolean =>
  !isBalance(opened) &&
  !hasFailed(opened) &&
  !isPastSignature(opened, nowMs) &&
  opened.plan.deliverAtMs <= nowMs + DUE_SOON_SECONDS * 1_000

/** True for a payment that can't land any more, because its owner's signature has expired. */
const isPastSignature = ({ payment }: OpenedOrder, nowMs: number): boolean =>
  payment !== undefined && nowMs > wholeNumber(payment.validUntil * 1_000n)

/**
 * False for an order or payment that needs no settlement for now. A balance needs no settlement before its end, and
 * anyone can open many balances cheaply. A refund may wait for weeks until the sender has an account that can be paid,
 * and a sender can cause this on purpose. After the last second for its refund, an order can't be settled any more. A
 * payment to a payee who can't be paid isn't counted, because it ends without a refund: its owner could sign such
 * payments again and again at no cost.
 */
function mayNeedSettlement(opened: OpenedOrder, clock: UnixSeconds): boolean {
  const { note, plan, payment } = opened
  if (payment !== undefined) {
    return clock <= deliverableUntil(opened) && plan.reason !== 'recipient_not_payable'
  }
  if (isLeftToOwner(opened) || plan.waitsFor === 'sender_account') return false
  const isEarly = isBalance(opened) && clock <= note.expiry
  return !isEarly && clock <= lastRefundClock(note.expiry)
}

/** Returns how many more orders the relayers could pay for, if each order needed two settlements. */
function freeFor(settlements: bigint, open: number): number {
  const free = ordersFor(settlements) - BigInt(open)
  if (free <= 0n) return 0
  return free > FREE_MAX ? wholeNumber(FREE_MAX) : wholeNumber(free)
}

/**
 * The highest number that is reported. A greater number would make no difference to limits, and might not fit into the
 * database's column.
 */
const FREE_MAX = 1_000_000_000n

/**
 * Returns the time from which an order counts as overdue, in milliseconds since 1970.
 *
 * - A transfer is due at the drawn time of its delivery. After a try that failed because of its payee's account, it is
 *   due at the next try.
 * - A balance and a refund can't be paid before the first grid time (a multiple of 600 seconds) after the expiry. A
 *   transfer that missed its crowd and will be refunded counts as a refund.
 * - A balance that is left to its owner is never due.
 * - A payment out of a balance is due as soon as its owner has signed it. After the signature has expired, nothing is
 *   due any more: the payment expires, or waits for a node that shows how it ended.
 */
function dueMs(opened: OpenedOrder, nowMs: number): number {
  const { plan, note, payment } = opened
  if (payment !== undefined) return isPastSignature(opened, nowMs) ? Infinity : firstDueOf(plan)
  if (!isBalance(opened) && !isRefunding(opened) && missedCrowd(opened) === undefined) {
    return firstDueOf(plan)
  }
  if (isLeftToOwner(opened)) return Infinity
  return Math.max(firstDueOf(plan), wholeNumber(ceilToGrid(note.expiry + 1n) * 1_000n))
}

/**
 * Returns the time in seconds for which the oldest waiting order has been overdue, rounded down to a value of
 * `LATE_STEPS`. The time starts at the drawn delivery time, not at the deposit. An order that is paid on time is never
 * overdue. So a change of this number doesn't reveal which deposit was paid.
 */
function overdueSeconds(opened: readonly OpenedOrder[], nowMs: number): number {
  // There may be more open orders than a call may have arguments. So `reduce` is used instead of `Math.max`.
  const latest = opened.reduce(
    (most, one) => Math.max(most, (nowMs - dueMs(one, nowMs)) / 1_000),
    0,
  )
  return LATE_STEPS.findLast((step) => step <= latest) ?? 0
}
