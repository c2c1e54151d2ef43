import type { UnixSeconds } from '@sotto/protocol'
import { witnessedClock } from '../../domain/followed-slot.ts'
import { PAYMENT_SECONDS_MAX } from '../../domain/payment-life.ts'
import type { SettlementOutcome } from '../../domain/order-secrets.ts'
import type { FinalizedHead, FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import type { HealthStore } from '../../ports/settlement-store.ts'
import { liveAttemptOf } from './journal.ts'
import { deliverableUntil, nameOf, type OpenedOrder } from './opened-order.ts'
import { isProvenSettlement, type ProvenDependencies } from './proven-settlement.ts'
import { isAppended } from './settlement-evidence.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** If no node shows the transaction of a settlement within this time, an alert is raised. */
export const HISTORY_SECONDS = 120n
/**
 * A payment whose leaf is in the tree expires only after two readings of another settlement, at least this long apart.
 * The time is counted by the followed clock, which no single node can move ahead.
 */
const READINGS_APART_SECONDS = 120n
/**
 * A payment whose leaf is in the tree expires this long after its end if no node shows its Nullifier. Until then an
 * alert is raised in every round, so that an operator can repair the nodes.
 */
const DENIED_SECONDS = 7n * 86_400n
/** The part of that time in which this process itself must have read, again and again, that the note is unspent. */
const DENIALS_SECONDS = 86_400n

export type EndDependencies = Pick<
  SettleDependencies,
  | ('chain' | 'store' | 'clock' | 'clockMarginSeconds' | 'log' | 'tree' | 'firstReadings')
  | ('poseidon' | 'pool' | 'verifier' | 'witness')
>

/**
 * `other`: nodes show that another settlement has spent the note. `spent`: that settlement is also proven. `unclear`:
 * the payment may have landed, and must stay open.
 */
type PaymentEnd = SettlementOutcome | 'other' | 'spent' | 'unclear' | undefined

/**
 * The end of a payment whose note is spent; undefined if the tree has neither the payment's leaf nor another proven
 * settlement of the note. A payment appends the leaf that its owner signed, so it hasn't landed if the tree lacks that
 * leaf. The leaf alone doesn't prove that the payee was paid: without the service, the owner may pay another payee and
 * leave the same change. So the transaction must name payee and payout. If our relayer has paid for the Nullifier, the
 * transaction isn't needed, because relayers sign only journalled transactions. With several nodes, two must show the
 * transaction, because the owner together with one node could show another signed payment that never landed. A
 * transaction that landed after the signature's end, or before the payment was ordered, is another settlement, even
 * with the same payee and payout: an owner can sign equal payments one after another, and each signature has its own
 * end.
 */
export async function endOfPayment(
  d: EndDependencies,
  opened: OpenedOrder,
  settled: SettledNote,
  { unixSeconds: now }: FinalizedHead,
): Promise<PaymentEnd> {
  const { payment, note } = opened
  if (payment === undefined) return undefined
  const isThere = await isAppended(d, opened, opened.changeLeaf)
  if (!isThere && (await d.store.readCursor()).unixSeconds <= settled.atSeconds) return undefined
  const found = await find(d, opened)
  const isOther = found !== undefined && !isPayment(found, opened)
  const isProvenOther = isOther && (await isProven(d, opened, found))
  if (!isThere && !isProvenOther) return undefined
  if (isOther && !(await isSaidByTwo(d, opened, found))) return isThere ? 'unclear' : undefined
  if (isProvenOther) return 'spent'
  if (isOther) return 'other'
  if (settled.atSeconds > deliverableUntil(opened)) {
    // A transaction with a proof for a time before the end contradicts the Nullifier, so one of the two is false.
    return found?.shown === undefined ? 'other' : 'unclear'
  }
  const sent = liveAttemptOf(d.log, opened)
  const isSent = sent?.relayer === settled.rentPayer
  // Our relayer sends only this payment. If the payment seems to have landed before it was ordered, a node's clock was
  // ahead when it was ordered.
  if (!isSent && settled.atSeconds <= payment.validUntil - PAYMENT_SECONDS_MAX) return 'other'
  // Without the transaction, one of several nodes alone isn't enough to show who paid for the Nullifier.
  if (found === undefined && (!isSent || settled.isAlone === true)) {
    if (now >= settled.atSeconds + HISTORY_SECONDS) d.log.alert('history_missing', nameOf(opened))
    return 'unclear'
  }
  // If one node shows the Nullifier and another node shows none, this isn't enough to know who paid for it. A node that
  // only lags shows the Nullifier soon.
  const isContradicted = settled.isContradicted === true
  if (isContradicted && now < settled.atSeconds + HISTORY_SECONDS) return 'unclear'
  const isOwn = isSent && !isContradicted
  if (found !== undefined && !isOwn && !(await isSaidByTwo(d, opened, found))) return 'unclear'
  return {
    kind: 'delivery',
    signature: found?.signature ?? (isSent ? sent.signature : undefined),
    slot: found?.slot,
    unixSeconds: found?.unixSeconds ?? settled.atSeconds,
    assetId: note.mint,
    amount: payment.payout,
  }
}

function isPayment({ shown, ...found }: FoundSettlement, opened: OpenedOrder): boolean {
  const { changeLeaf, payment } = opened
  return (
    !found.isRefund &&
    found.changeLeaf === changeLeaf &&
    found.payee === payment?.payee &&
    found.payout === payment.payout &&
    (shown === undefined || shown.time <= deliverableUntil(opened))
  )
}

/**
 * True if the proof of a note's settlement holds, and if the tree has the settlement's leaf. Such a settlement may
 * still not have landed, because another settlement of the note can append the same leaf.
 */
export async function isProven(
  d: ProvenDependencies & { readonly store: Pick<HealthStore, 'findLeaves'> },
  { nullifier, leafIndex }: OpenedOrder,
  { shown }: FoundSettlement,
): Promise<boolean> {
  if (shown?.nullifier !== nullifier) return false
  const index = (await d.store.findLeaves([shown.changeLeaf])).get(shown.changeLeaf)
  return index !== undefined && index > leafIndex && isProvenSettlement(d, index, shown)
}

/**
 * True if at least two nodes show this settlement of a note, and they outnumber the nodes that show another one. If
 * only one node is configured, its answer counts.
 */
export async function isSaidByTwo(
  d: Pick<EndDependencies, 'chain' | 'log'>,
  opened: OpenedOrder,
  found: FoundSettlement,
): Promise<boolean> {
  if (d.chain.findSettlements === undefined) return true
  const said = await d.chain.findSettlements(opened.nullifier)
  const same = said.filter(({ signature }) => signature === found.signature)
  const isSame = same.length >= 2 && same.every((one) => isEqual(one, found))
  if (isSame && 2 * same.length > said.length) return true
  const isOneAlone = said.length <= 1
  d.log.alert(isOneAlone ? 'history_missing' : 'nodes_disagree', nameOf(opened))
  return false
}

/** True if two nodes show the same settlement of a note. */
export const isEqual = (one: FoundSettlement, other: FoundSettlement): boolean =>
  one.isRefund === other.isRefund &&
  one.changeLeaf === other.changeLeaf &&
  one.payee === other.payee &&
  one.payout === other.payout &&
  one.shown?.time === other.shown?.time

async function find(
  d: Pick<EndDependencies, 'chain' | 'log'>,
  { nullifier }: OpenedOrder,
): Promise<FoundSettlement | undefined> {
  try {
    return await d.chain.findSettlement(nullifier)
  } catch (error) {
    d.log.failed('find_settlement', error)
    return undefined
  }
}

/**
 * True if a payment hasn't landed and never will. The followed clock must be past the payment's end. The verified tree,
 * which is complete up to that clock, must lack the payment's leaf after the note. If the tree has the leaf, a node
 * that shows no Nullifier contradicts the tree, and the payment stays open for a week: see `isLongDenied`. If a node
 * shows another settlement, a second such reading must follow some time later, without a contradicting one in between.
 *
 * @param end the result of the newest reading of the Nullifier; undefined if there is no Nullifier.
 */
export async function hasExpired(
  d: EndDependencies,
  opened: OpenedOrder,
  end: 'other' | undefined,
): Promise<boolean> {
  const { payment, order, leafIndex, changeLeaf } = opened
  if (end !== 'other') d.firstReadings.forget(order.orderId, 'settled')
  if (payment === undefined || !d.tree.isVerified) return false
  const { unixSeconds } = await d.store.readCursor()
  const witnessed = d.witness?.confirmed(unixSeconds) ?? unixSeconds
  const clock = witnessedClock(witnessed, d.clock.nowMs(), d.clockMarginSeconds)
  if (clock <= payment.validUntil) return false
  const index = (await d.store.findLeaves([changeLeaf])).get(changeLeaf)
  if (index === undefined || index <= leafIndex) return true
  if (end !== 'other') return isLongDenied(d, opened, { clock, unixSeconds })
  const first = d.firstReadings.first(order.orderId, unixSeconds)
  return unixSeconds >= first + READINGS_APART_SECONDS
}

/**
 * True if nodes have denied for a week that a payment's note is spent, although the tree has the payment's leaf. Either
 * every node hides the Nullifier, or the owner let another note's settlement append an equal leaf. The leaf doesn't show
 * which of the two is true, and after the signature's end the payment can't be tried. It can't stay open for ever
 * either, because an open payment keeps the key of its hour, which protects the orders of others.
 *
 * @param times the followed clock, and the part of it that the wall clock and a second node confirm.
 */
function isLongDenied(
  d: Pick<EndDependencies, 'firstReadings' | 'log'>,
  opened: OpenedOrder,
  { clock, unixSeconds }: { readonly clock: bigint; readonly unixSeconds: UnixSeconds },
): boolean {
  const end = opened.payment?.validUntil ?? opened.note.expiry
  const first = d.firstReadings.first(opened.order.orderId, unixSeconds, 'unspent')
  if (clock < end + HISTORY_SECONDS) return false
  d.log.alert('history_missing', nameOf(opened))
  return clock >= end + DENIED_SECONDS && unixSeconds >= first + DENIALS_SECONDS
}

/**
 * Ends an expired payment together with its live attempt: after the payment's end, none of its transactions can land.
 */
export async function expirePayment(
  d: Pick<EndDependencies, 'store' | 'clock' | 'log'>,
  { order: { orderId, epoch, attempt } }: OpenedOrder,
): Promise<void> {
  const isDone = await d.store.tryComplete(
    {
      ...{ orderId, epoch, to: 'expired', sealedOutcome: undefined },
      attempt: attempt && { number: attempt.number, hasLanded: false },
    },
    d.clock.nowMs(),
  )
  if (isDone) d.log.event('payment_expired')
}
