import type { UnixSeconds } from '@sotto/protocol'
import { isLeaseHeld } from '../../domain/lease.ts'
import type { FinalizedHead, SettledNote } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Lease, OpenOrder, OpenScope } from '../../ports/settlement-store.ts'
import { afterCount, isPlanning, planForCrowd } from './await-crowd.ts'
import { confirm, leaveToOwner } from './confirm.ts'
import { expirePayment, hasExpired } from './end-payment.ts'
import { deliver } from './deliver.ts'
import { giveUp } from './give-up.ts'
import { underLease } from './keep-lease.ts'
import { confirmedTime, nextStep, PROVING_SECONDS, type NextStep } from './next-step.ts'
import { isBalance, isLeftToOwner, type OpenedOrder } from '../notes/opened-order.ts'
import { hasFailed } from './postpone.ts'
import { hexOf } from '../../domain/hex.ts'
import { beginRefund, refund } from './refund.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import { isFollowedPast, withChangeLeaf } from '../notes/settlement-evidence.ts'
import { inTurns } from './turn-order.ts'

/**
 * Pays due orders in the sequence that `inTurns` gives. Each order that is being paid occupies one of the `concurrency`
 * places of the work pool. Orders whose last try failed come last in a round and occupy at most a quarter of the
 * places. So payees who can't be paid don't delay the other orders. Searches for settled notes may read thousands of
 * transactions, so they have a pool of their own. An order with a live attempt is started again only after the attempt
 * is proven dead (invariant I7). A second attempt that began earlier couldn't pay twice, because the program settles a
 * note only once (I2), but its transaction would fail at the relayer's cost.
 *
 * A round starts about as many orders as there are places. So the next round can decide the sequence again. The round
 * returns when its orders are started. While one order waits for a node's answer, the prover works on other orders.
 * Most rounds read only orders that may have work (`due`). Once in each upkeep interval, a round reads all orders.
 *
 * Returns false if no order of the scope is open. While the tree isn't verified, orders aren't read, and the result is
 * true.
 */
export async function payDueOrders(
  d: SettleDependencies,
  signal: AbortSignal,
  scope: OpenScope = 'due',
): Promise<boolean> {
  if (!d.tree.isVerified) return true
  const nowMs = d.clock.nowMs()
  const { orders, payments, hasOpen } = await readFree(d, scope, nowMs)
  if (orders.length + payments.length === 0) return hasOpen
  const opened = [...(await d.opener.openAll(orders)), ...(await d.opener.openPayments(payments))]
  if (scope === 'due' && opened.every((one) => isResting(one, nowMs))) return hasOpen
  const head = await d.chain.readHead()
  // If another worker has just recorded the order, this worker's tree gets the order's leaf in the next round.
  const known = opened.filter(({ leafIndex }) => leafIndex < d.tree.size)
  const time = confirmedTime(d, head, nowMs)
  const steps = await stepsOf(d, known, head, { nowMs, time })
  const due = steps.filter(({ step }) => step !== 'wait')
  startSearches(d, due.filter(isSearch))
  const others = due.filter((one) => !isSearch(one))
  for (const { opened: one, step, isRetry } of startOrder(d, others, { nowMs, time })) {
    if (isRetry && !d.workPool.hasRoomForRetry) return hasOpen
    await d.workPool.room()
    if (signal.aborted) return hasOpen
    const work = () => claimAndPay(d, one, step, { head, time })
    d.workPool.start(hexOf(one.order.orderId), () => runOrLog(d, one, step, work), isRetry)
  }
  return hasOpen
}

/**
 * Reads the open orders and payments, and returns those that this worker may start now: they have no live attempt, no
 * other worker holds their lease, this process doesn't work on them, and their pauses are over.
 */
async function readFree(d: SettleDependencies, scope: OpenScope, nowMs: number) {
  // Payments are read first. So if a payment ends between the two reads, the list of balances already has the change
  // that the payment left.
  const payments = await d.store.listPayments()
  const open = await d.store.listOpen(scope)
  if (scope === 'all') d.opener.forgetOthers([...open, ...payments])
  if (scope === 'all') d.proofs.forgetOthers([...open, ...payments])
  const isFree = ({ orderId, attempt, leaseUntilMs }: Pick<OpenOrder, FreedomColumn>) =>
    attempt === undefined &&
    !isLeaseHeld(leaseUntilMs, nowMs, d.leaseMs) &&
    !d.workPool.has(hexOf(orderId)) &&
    !d.searches.has(hexOf(orderId)) &&
    d.retries.isDue(orderId, nowMs) &&
    d.unclaimed.isDue(orderId, nowMs)
  return {
    orders: open.filter(isFree),
    payments: payments.filter(isFree),
    hasOpen: open.length + payments.length > 0,
  }
}

/**
 * The sequence in which a round starts its orders. Planning steps need no proof and occupy a place only while they
 * write a plan, so they start first. Then come as many orders as there are places. At the end come the orders whose
 * last try failed.
 */
function startOrder(
  d: SettleDependencies,
  due: readonly DueOrder[],
  { nowMs, time }: { readonly nowMs: number; readonly time: UnixSeconds },
): readonly (DueOrder & { readonly isRetry: boolean })[] {
  const planned = due
    .filter(({ step }) => isPlanning(step))
    .map((one) => ({ ...one, isRetry: false }))
  const others = due.filter(({ step }) => !isPlanning(step))
  const inTurn = inTurns(d.random, others, { clock: time, startSeconds: startSeconds(d) }).map(
    (one) => ({ ...one, isRetry: asksProverAgain(d, one, nowMs) }),
  )
  const first = inTurn.filter(({ isRetry }) => !isRetry).slice(0, d.concurrency)
  return [...planned, ...first, ...inTurn.filter(({ isRetry }) => isRetry)]
}

/** True if the step searches the history for a note's settlement, which may take long. */
const isSearch = ({ step }: DueOrder): boolean => step === 'give_up'

/** Starts searches while the pool of searches has places. The other searches wait for a later round. */
function startSearches(d: SettleDependencies, due: readonly DueOrder[]): void {
  for (const { opened } of due) {
    if (!d.searches.hasRoomForRetry) return
    const search = () => runOrLog(d, opened, 'give_up', () => giveUp(d, opened))
    d.searches.start(hexOf(opened.order.orderId), search, true)
  }
}

/**
 * Returns a function that gives the scope of each round: `all` once in `everyMs`, and `due` otherwise. Most balances
 * have no work for days, so not every round reads all orders.
 */
export function payScope(clock: Clock, everyMs: number): () => OpenScope {
  let wholeAtMs: number | undefined
  return () => {
    const nowMs = clock.nowMs()
    const isDue = wholeAtMs === undefined || Math.abs(nowMs - wholeAtMs) >= everyMs
    if (isDue) wholeAtMs = nowMs
    return isDue ? 'all' : 'due'
  }
}

/** A balance may have work at most this many seconds before its end. The number is large, because clocks may differ. */
const NEAR_SECONDS = 3_600n

/**
 * True for a balance that ends more than an hour from now. Payments postpone a balance's end. So the end in the order's
 * own row may already have passed.
 */
function isResting(opened: OpenedOrder, nowMs: number): boolean {
  if (opened.payment !== undefined || !isBalance(opened) || isLeftToOwner(opened)) return false
  return opened.note.expiry > BigInt(Math.floor(nowMs / 1_000)) + NEAR_SECONDS
}

/**
 * Returns the next step of each order. If the crowd of an order can't be counted now, that order waits, and the others
 * continue.
 */
async function stepsOf(
  d: SettleDependencies,
  opened: readonly OpenedOrder[],
  head: FinalizedHead,
  { nowMs, time }: { readonly nowMs: number; readonly time: UnixSeconds },
): Promise<DueOrder[]> {
  const failures: unknown[] = []
  const stepOf = async (one: OpenedOrder): Promise<DueOrder> => {
    const step = nextStep(one, head, nowMs, d.clockMarginSeconds, time)
    if (step === 'begin_refund' && !isFollowedPast(d, one)) return { opened: one, step: 'wait' }
    if (step !== 'count_crowd') return { opened: one, step }
    try {
      return { opened: one, step: await afterCount(d, one, time) }
    } catch (error) {
      failures.push(error)
      return { opened: one, step: 'wait' }
    }
  }
  const steps = await Promise.all(opened.map(stepOf))
  // All crowds are counted from one reading of the chain. So all failures have the same cause, and one log entry is
  // enough.
  if (failures.length > 0) d.log.failed('pay', failures[0])
  return steps
}

interface DueOrder {
  readonly opened: OpenedOrder
  readonly step: NextStep
}

/**
 * Returns the seconds from an order's start until its settlement is proved and lands, if the worker is then already
 * working on its maximum number of orders.
 */
const startSeconds = ({
  concurrency,
  proofQueue,
}: Pick<SettleDependencies, 'concurrency' | 'proofQueue'>): bigint =>
  PROVING_SECONDS + BigInt(Math.ceil((concurrency * SECONDS_PER_HOUR) / proofQueue.proofsPerHour))

const SECONDS_PER_HOUR = 3_600

type FreedomColumn = 'orderId' | 'attempt' | 'leaseUntilMs'

/** True if this step needs a proof and the order's last try failed. */
function asksProverAgain(
  { retries }: Pick<SettleDependencies, 'retries'>,
  { opened, step }: { readonly opened: OpenedOrder; readonly step: NextStep },
  nowMs: number,
): boolean {
  const isProved = step === 'deliver' || step === 'refund'
  return isProved && (hasFailed(opened) || retries.hasRested(opened.order.orderId, nowMs))
}

/** The chain's head in a round, and the time that `confirmedTime` returns for it. */
interface Round {
  readonly head: FinalizedHead
  readonly time: UnixSeconds
}

/** Runs one order's step. Logs a failure, so that the failure doesn't stop other orders. */
async function runOrLog(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: NextStep,
  work: () => Promise<void>,
): Promise<void> {
  try {
    // A trace span of a planning step would reveal that an order waits for a crowd.
    const isTraced = d.tracing !== undefined && !isPlanning(step)
    await (isTraced ? d.tracing.within('settle', step, work) : work())
  } catch (error) {
    d.log.failed('pay', error)
    d.retries.rest(opened.order.orderId, d.clock.nowMs())
  }
}

async function claimAndPay(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: NextStep,
  { head, time }: Round,
): Promise<void> {
  if (step === 'leave') return leaveToOwner(d, opened)
  if (isPlanning(step)) return planForCrowd(d, opened, step, time)
  await underLease(d, opened.order, async (lease) => {
    const inTree = (await withChangeLeaf(d, [opened])).map(({ nullifier }) => nullifier)
    const { settled } = await d.chain.readNullifiers([opened.nullifier], head.slot, inTree)
    if (settled.length !== 1) throw new Error('the node returned no answer for the nullifier')
    // The ticket's holder may already have settled the note.
    if (settled[0] !== undefined) return end(d, opened, settled[0], head)
    if (step !== 'expire') return pay(d, opened, step, lease)
    if (await hasExpired(d, opened, undefined)) return expirePayment(d, opened)
    // It may take a week until the payment can expire. Without a pause, every round would ask nodes for its Nullifier.
    // Many such payments would occupy all places, and newer payments would wait.
    d.retries.rest(opened.order.orderId, d.clock.nowMs())
  })
}

/**
 * Ends an order whose note was settled with its ticket. If only one node shows the settlement so far, the order stays
 * open. After a pause, it is tried again.
 */
async function end(
  d: SettleDependencies,
  opened: OpenedOrder,
  settled: SettledNote,
  head: FinalizedHead,
): Promise<void> {
  d.retries.rest(opened.order.orderId, d.clock.nowMs())
  await confirm(d, opened, settled, head)
}

async function pay(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: NextStep,
  lease: Lease,
): Promise<void> {
  switch (step) {
    case 'deliver':
      return deliver(d, opened, lease)
    case 'begin_refund':
      return beginRefund(d, opened, lease)
    case 'refund':
      return refund(d, opened, lease)
    case 'count_crowd':
    case 'meet_crowd':
    case 'miss_crowd':
    case 'leave':
    case 'expire':
    case 'give_up':
    case 'wait':
      return
  }
}
