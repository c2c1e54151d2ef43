import { isLeaseHeld } from '../../domain/lease.ts'
import type { FinalizedHead, SettledNote } from '../../ports/settlement-chain.ts'
import type { Random } from '../../ports/random.ts'
import type { Lease, OpenOrder, OpenScope } from '../../ports/settlement-store.ts'
import { confirm, leaveToOwner } from './confirm.ts'
import { expirePayment, hasExpired } from './end-payment.ts'
import { deliver } from './deliver.ts'
import { giveUp } from './give-up.ts'
import { underLease } from './keep-lease.ts'
import { nextStep, type NextStep } from './next-step.ts'
import type { OpenedOrder } from './opened-order.ts'
import { hasFailed } from './postpone.ts'
import { hexOf } from '../../domain/hex.ts'
import { beginRefund, refund } from './refund.ts'
import { shuffled } from './shuffled.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Pays due orders, those that became due first before others, so that a queue delays all of them alike. The delays were
 * drawn at random, so this isn't the order of the deposits; small groups are shuffled as well. Orders whose last try failed
 * come after all others and take a quarter of the places at most: however many payees can't be paid, the others
 * are. Orders with a live attempt wait for its verdict: no second attempt starts before the first is proven
 * dead (I7). Returns once all are started and not when they are paid: while one waits for its node, the prover
 * works on others. Each round is for orders that may have work; a rarer one over all of them finds the rest.
 */
export async function payDueOrders(
  d: SettleDependencies,
  signal: AbortSignal,
  scope: OpenScope = 'due',
): Promise<void> {
  if (!d.tree.isVerified) return
  const nowMs = d.clock.nowMs()
  const payments = await d.store.listPayments()
  const open = await d.store.listOpen(scope)
  if (scope === 'all') d.opener.forgetOthers([...open, ...payments])
  if (scope === 'all') d.proofs.forgetOthers([...open, ...payments])
  const isFree = ({ orderId, attempt, leaseUntilMs }: Pick<OpenOrder, FreedomColumn>) =>
    attempt === undefined &&
    !isLeaseHeld(leaseUntilMs, nowMs, d.leaseMs) &&
    !d.workPool.has(hexOf(orderId)) &&
    d.retries.isDue(orderId, nowMs) &&
    d.unclaimed.isDue(orderId, nowMs)
  const [free, freePayments] = [open.filter(isFree), payments.filter(isFree)]
  if (free.length + freePayments.length === 0) return
  const head = await d.chain.readHead()
  const opened = [...(await d.opener.openAll(free)), ...(await d.opener.openPayments(freePayments))]
  const due = opened
    // If another worker has just recorded it, this one has its leaf one round later.
    .filter(({ leafIndex }) => leafIndex < d.tree.size)
    .map((opened) => ({ opened, step: nextStep(opened, head, nowMs, d.clockMarginSeconds) }))
    .filter(({ step }) => step !== 'wait')
  const inTurn = inGroups(d.random, due).map((one) => ({
    ...one,
    isRetry: asksProverAgain(d, one, nowMs),
  }))
  const first = inTurn.filter(({ isRetry }) => !isRetry)
  const retries = inTurn.filter(({ isRetry }) => isRetry)
  for (const { opened, step, isRetry } of [...first, ...retries]) {
    if (isRetry && !d.workPool.hasRoomForRetry) return
    await d.workPool.room()
    if (signal.aborted) return
    const key = hexOf(opened.order.orderId)
    d.workPool.start(key, () => payOrLog(d, opened, step, head), isRetry)
  }
}

/** Orders that are shuffled together. */
const GROUP = 8

interface DueOrder {
  readonly opened: OpenedOrder
  readonly step: NextStep
}

/** Sorts by the time at which an order became due, and shuffles each group of neighbours. */
function inGroups(random: Random, due: readonly DueOrder[]): DueOrder[] {
  const sorted = [...due].sort(
    (left, right) => left.opened.plan.deliverAtMs - right.opened.plan.deliverAtMs,
  )
  const groups = Math.ceil(sorted.length / GROUP)
  return Array.from({ length: groups }, (_, place) =>
    shuffled(random, sorted.slice(place * GROUP, (place + 1) * GROUP)),
  ).flat()
}

type FreedomColumn = 'orderId' | 'attempt' | 'leaseUntilMs'

/** True if the prover is asked again for an order whose last try failed. */
function asksProverAgain(
  { retries }: Pick<SettleDependencies, 'retries'>,
  { opened, step }: { readonly opened: OpenedOrder; readonly step: NextStep },
  nowMs: number,
): boolean {
  const isProved = step === 'deliver' || step === 'refund'
  return isProved && (hasFailed(opened) || retries.hasRested(opened.order.orderId, nowMs))
}

/** One order's failure must not block the others. */
async function payOrLog(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: NextStep,
  head: FinalizedHead,
): Promise<void> {
  const work = () => claimAndPay(d, opened, step, head)
  try {
    await (d.tracing === undefined ? work() : d.tracing.within('settle', step, work))
  } catch (error) {
    d.log.failed('pay', error)
    d.retries.rest(opened.order.orderId, d.clock.nowMs())
  }
}

async function claimAndPay(
  d: SettleDependencies,
  opened: OpenedOrder,
  step: NextStep,
  head: FinalizedHead,
): Promise<void> {
  if (step === 'give_up') return giveUp(d, opened)
  if (step === 'leave') return leaveToOwner(d, opened)
  await underLease(d, opened.order, async (lease) => {
    const { settled } = await d.chain.readNullifiers([opened.nullifier], head.slot)
    if (settled.length !== 1) throw new Error('no result for the nullifier')
    // The ticket holder may already have settled it.
    if (settled[0] !== undefined) return end(d, opened, settled[0], head)
    if (step !== 'expire') return pay(d, opened, step, lease)
    if (await hasExpired(d, opened)) await expirePayment(d, opened)
  })
}

/** Ends an order that its ticket has settled. While only one node says so, the order rests between tries. */
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
    case 'leave':
    case 'expire':
    case 'give_up':
    case 'wait':
      return
  }
}
