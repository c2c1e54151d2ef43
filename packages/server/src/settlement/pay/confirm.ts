import { type Amount, sumOf } from '@sotto/protocol'
import { canBecome } from '../../domain/order-state.ts'
import { encodeOutcome, type SettlementOutcome } from '../../domain/order-secrets.ts'
import type { FinalizedHead, SettledNote } from '../../ports/settlement-chain.ts'
import type { ShownSettlement } from '../../domain/observed-market.ts'
import type { OpenOrder, OpenPayment, PaidFrom } from '../../ports/settlement-store.ts'
import { liveAttemptOf } from './journal.ts'
import { endOfPayment, expirePayment, hasExpired } from './end-payment.ts'
import { HISTORY_SECONDS } from '../notes/evidence-times.ts'
import { continueWithChange } from './continue-with-change.ts'
import { isBalance, isLeftToOwner, nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { isAfterOpenPayment, isOwnPayment, paidFrom } from '../notes/paid-from.ts'
import { provenNote } from './proven-note.ts'
import { recover } from './recover.ts'
import { settledOutcome } from './settled-outcome.ts'
import { withChangeLeaf } from '../notes/settlement-evidence.ts'
import { shuffled } from './shuffled.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import type { WorkPool } from '../../running/work-pool.ts'
import { hexOf } from '../../domain/hex.ts'

type ConfirmDependencies = Pick<
  SettleDependencies,
  | ('chain' | 'store' | 'clock' | 'log' | 'opener' | 'random' | 'tree')
  | ('firstReadings' | 'broadcasts' | 'attemptAges' | 'prices')
  | ('poseidon' | 'pool' | 'verifier' | 'witness' | 'workerId' | 'leaseMs')
>

/**
 * The orders that a round checks. `attempts`: only orders with a live attempt. `all`: also the orders that others may
 * have settled.
 */
export type ConfirmScope = 'attempts' | 'all'

/**
 * Finds the outcomes of notes. A note counts as settled, by this service or by others, if its Nullifier account exists
 * at finality and the tree confirms the settlement. If the account doesn't exist, the order's live attempt is judged.
 * The block height is read first. The account is read at the same slot or later.
 *
 * Requests name only nullifiers that are already public. From requests for other nullifiers, a node could infer which
 * deposits they belong to. Even requests for single nullifiers, one after another, would reveal these deposits. If
 * others settle a note, the service recognises this by the leaf that their settlement appends.
 *
 * A round returns when the work on its orders has begun. While one order waits for a node's answer, the next round
 * checks the other orders.
 */
export async function confirmOrders(
  d: ConfirmDependencies,
  scope: ConfirmScope,
  workPool: WorkPool,
): Promise<void> {
  // Payments are read first. So if a payment ends between the two reads, the list of balances already has the change
  // that the payment left.
  const payments = await d.store.listPayments()
  const open = await d.store.listOpen(scope === 'attempts' ? 'attempted' : 'due')
  if (scope === 'all') d.firstReadings.forgetOthers([...open, ...payments])
  if (scope === 'all') d.attemptAges.forgetOthers([...open, ...payments])
  const isIdle = ({ orderId }: Pick<OpenOrder, 'orderId'>) => !workPool.has(hexOf(orderId))
  const watched = [
    ...(await watchedOf(d, open.filter(isIdle), scope)),
    ...(await watchedPayments(d, payments.filter(isIdle), scope)),
  ]
  if (watched.length === 0) return
  const head = await d.chain.readHead()
  const opened = shuffled(d.random, watched)
  const nullifiers = opened.map(({ nullifier }) => nullifier)
  const inTree = (await withChangeLeaf(d, opened)).map(({ nullifier }) => nullifier)
  const { settled } = await d.chain.readNullifiers(nullifiers, head.slot, inTree)
  for (const [index, one] of opened.entries()) {
    if (index >= settled.length) return
    await workPool.room()
    workPool.start(hexOf(one.order.orderId), () => confirmOrLog(d, one, settled[index], head))
  }
}

/** Confirms one order. Logs a failure, so that the failure doesn't stop other orders. */
async function confirmOrLog(
  d: ConfirmDependencies,
  one: OpenedOrder,
  note: SettledNote | undefined,
  head: FinalizedHead,
): Promise<void> {
  try {
    if (note !== undefined) await confirm(d, one, note, head)
    else await recover(d, one, head)
  } catch (error) {
    d.log.failed('confirm', error)
  }
}

/**
 * Returns the orders whose nullifiers a request may name. An attempt or an appended leaf has made these nullifiers
 * public.
 */
async function watchedOf(
  d: ConfirmDependencies,
  open: readonly OpenOrder[],
  scope: ConfirmScope,
): Promise<OpenedOrder[]> {
  const attempted = await d.opener.openAll(open.filter(({ attempt }) => attempt !== undefined))
  if (scope === 'attempts') return attempted
  const others = await d.opener.openAll(open.filter(({ attempt }) => attempt === undefined))
  return [...attempted, ...(await withChangeLeaf(d, others))]
}

/** Returns the payments whose nullifiers a request may name, by the rule of `watchedOf`. */
async function watchedPayments(
  d: ConfirmDependencies,
  payments: readonly OpenPayment[],
  scope: ConfirmScope,
): Promise<OpenedOrder[]> {
  const isTried = ({ attempt }: OpenPayment) => attempt !== undefined
  const attempted = await d.opener.openPayments(payments.filter(isTried))
  if (scope === 'attempts') return attempted
  const others = await d.opener.openPayments(payments.filter((one) => !isTried(one)))
  return [...attempted, ...(await withChangeLeaf(d, others))]
}

/** Ends an order whose Nullifier account exists at finality. The order stays open until the chain also shows the outcome. */
export async function confirm(
  d: ConfirmDependencies,
  opened: OpenedOrder,
  settled: SettledNote,
  head: FinalizedHead,
): Promise<void> {
  if (settled.isDisputed === true) return confirmDisputed(d, opened, settled, head)
  if (opened.payment !== undefined) return confirmPayment(d, opened, settled, head)
  // If an open payment spends this note, the payment must complete first. Then the balance continues with the payment's
  // change.
  if (isBalance(opened) && (await isOwnPayment(d, opened, settled))) return
  const outcome = await settledOutcome(d, opened, settled, head)
  if (outcome === undefined) return
  const spent = isBalance(opened) ? { left: opened.note.value } : undefined
  await complete(d, opened, outcome, { spent })
}

/**
 * Decides about an order if nodes show its Nullifier with different contents. The order ends only if the nodes agree on
 * a settlement with a valid proof: see `provenNote`. Otherwise it stays open.
 */
async function confirmDisputed(
  d: ConfirmDependencies,
  opened: OpenedOrder,
  disputed: SettledNote,
  head: FinalizedHead,
): Promise<void> {
  d.log.alert('nodes_disagree', nameOf(opened))
  d.firstReadings.forget(opened.order.orderId, 'unspent')
  const proven = await provenNote(d, opened, disputed)
  if (proven === undefined) return
  const { found, settled } = proven
  // A node may show a different transaction now. That transaction must not replace the proven transaction. The other
  // methods of the chain are inherited, because a copy would lack the methods that the chain itself inherits.
  const chain = Object.assign(Object.create(d.chain) as typeof d.chain, {
    findSettlement: async () => found,
  })
  return confirm({ ...d, chain }, opened, settled, head)
}

/** Ends the order of a balance from which the service has nothing to return: see `isLeftToOwner`. */
export async function leaveToOwner(
  d: Pick<ConfirmDependencies, 'store' | 'clock' | 'log'>,
  opened: OpenedOrder,
): Promise<void> {
  const { unixSeconds } = await d.store.readCursor()
  await complete(d, opened, {
    ...{ kind: 'delivery', signature: undefined, slot: undefined, unixSeconds },
    ...{ assetId: opened.note.mint, amount: undefined },
  })
}

/**
 * Ends a payment whose note is spent.
 *
 * - If another settlement of the note is proven, the payment can't land any more and expires at once. With several
 *   nodes, two of them must show that settlement.
 * - If nodes show another settlement without a valid proof, the payment stays open until its signature expires.
 * - If the payment may have landed but no node shows the transaction, the payment stays open until a node shows it.
 *   Meanwhile the balance continues with the change.
 */
async function confirmPayment(
  d: ConfirmDependencies,
  opened: OpenedOrder,
  settled: SettledNote,
  head: FinalizedHead,
): Promise<void> {
  const end = await endOfPayment(d, opened, settled, head)
  // If only one of several nodes shows the Nullifier, this node's answer can't prove that the payment didn't land.
  const isDoubted = end === 'other' && settled.isAlone === true
  if (end !== 'other' || isDoubted) d.firstReadings.forget(opened.order.orderId)
  if (isDoubted) {
    if (head.unixSeconds >= settled.atSeconds + HISTORY_SECONDS)
      d.log.alert('history_missing', nameOf(opened))
    return
  }
  if (end === 'spent') return expirePayment(d, opened)
  if (end === 'unclear') return continueWithChange(d, opened, settled, head)
  if (end !== undefined && end !== 'other') {
    // Payments must complete in the order in which they landed. If a later payment completed first, the balance's
    // newest note would be a spent note.
    let from = await paidFrom(d, opened)
    if (from === 'elsewhere') {
      if ((await isAfterOpenPayment(d, opened, settled)) !== 'no') return
      // The earlier payment may have completed between these two reads. Then the balance continues with this payment.
      from = await paidFrom(d, opened)
    }
    const balance = from === 'elsewhere' ? undefined : from
    await complete(d, opened, end, { paidFrom: balance })
    return balance === undefined ? undefined : leaveIfEnded(d, balance)
  }
  if (await hasExpired(d, opened, end)) await expirePayment(d, opened)
}

/** Ends a balance at once if its last payment has left nothing to return. */
async function leaveIfEnded(d: ConfirmDependencies, { orderId }: PaidFrom): Promise<void> {
  const opened = await d.opener.openAll(await d.store.listOpen([orderId]))
  const balance = opened.find(({ order }) => Buffer.compare(order.orderId, orderId) === 0)
  if (balance !== undefined && isLeftToOwner(balance)) await leaveToOwner(d, balance)
}

/**
 * Returns the public facts of a settlement. Returns undefined for a refund and for the return of a balance's rest: the
 * chain shows to whom they went, so they hide no delivery. If refunds after missed crowds counted as settlements,
 * quotes would assume that deposits that wait for a crowd are usually delivered.
 */
function shownOf(
  opened: OpenedOrder,
  { kind, unixSeconds }: SettlementOutcome,
): ShownSettlement | undefined {
  const { note, payment, terms } = opened
  if (payment === undefined && (kind === 'refund' || isBalance(opened))) return undefined
  const { gross, payee } =
    payment === undefined
      ? { gross: note.value, payee: terms.recipient }
      : { gross: sumOf([payment.payout, payment.fee]), payee: payment.payee }
  return { mint: note.mint, gross, payee, unixSeconds }
}

/** The effects of an order's end on a balance. */
interface BalanceEffect {
  /** The balance from which the payment was made. */
  readonly paidFrom?: PaidFrom | undefined
  /** For a balance whose newest note is spent: the most that its owner may still have in the pool, in base units. */
  readonly spent?: { readonly left: Amount } | undefined
}

/** Records an order's outcome if the order's status allows it. Otherwise raises an alert. */
export async function complete(
  d: Pick<ConfirmDependencies, 'store' | 'clock' | 'log'>,
  opened: OpenedOrder,
  outcome: SettlementOutcome,
  { paidFrom: balance, spent }: BalanceEffect = {},
): Promise<void> {
  const { order, secrets } = opened
  const to = outcome.kind === 'refund' ? 'refunded' : 'delivered'
  if (!canBecome(order.status, to)) return d.log.alert('outcome_contradicts_status', nameOf(opened))
  const clear = encodeOutcome(outcome)
  const own = liveAttemptOf(d.log, opened)?.signature
  const isDone = await d.store.tryComplete(
    {
      ...{ orderId: order.orderId, epoch: order.epoch, to },
      sealedOutcome: secrets.seal(order.orderId, 'outcome', clear),
      paidFrom: balance,
      shown: shownOf(opened, outcome),
      isLandedPayment: opened.payment !== undefined,
      balance: isBalance(opened)
        ? {
            plan: order.sealedPlan,
            mint: opened.note.mint,
            left: to === 'delivered' ? (spent?.left ?? opened.note.value) : undefined,
            isSettled: spent !== undefined,
          }
        : undefined,
      attempt: order.attempt && {
        number: order.attempt.number,
        hasLanded: own !== undefined && own === outcome.signature,
      },
    },
    d.clock.nowMs(),
  )
  if (isDone) d.log.event(to)
}
