import type { UnixSeconds } from '@sotto/protocol'
import { witnessedClock } from '../../domain/followed-slot.ts'
import { PAYMENT_SECONDS_MAX } from '../../domain/payment-life.ts'
import type { SettlementOutcome } from '../../domain/order-secrets.ts'
import type { FinalizedHead, FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import type { HealthStore } from '../../ports/settlement-store.ts'
import { HISTORY_SECONDS, READINGS_APART_SECONDS } from '../notes/evidence-times.ts'
import { liveAttemptOf } from './journal.ts'
import { deliverableUntil, nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { isProvenSettlement, type ProvenDependencies } from '../notes/proven-settlement.ts'
import {
  isAppended,
  isFollowedTo,
  mayBeAppended,
  recordedTime,
} from '../notes/settlement-evidence.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * If the tree has a payment's leaf although no node shows the Nullifier, the payment can become `expired` this many
 * seconds after its signature's expiry. Before that, every round raises an alert, so that an operator can repair the
 * nodes. The alerts start `HISTORY_SECONDS` after the signature's expiry.
 */
const DENIED_SECONDS = 7n * 86_400n
/**
 * The tree may have a payment's leaf although nodes show no Nullifier. Then the payment expires only if this process
 * has read the note as unspent for this many seconds. A contrary reading starts this time again.
 */
const DENIALS_SECONDS = 86_400n

export type EndDependencies = Pick<
  SettleDependencies,
  | ('chain' | 'store' | 'clock' | 'clockMarginSeconds' | 'log' | 'tree' | 'firstReadings')
  | ('poseidon' | 'pool' | 'verifier' | 'witness')
>

/**
 * The end of a payment:
 *
 * - an outcome: the payment landed.
 * - `spent`: another settlement has spent the note, and its proof is valid.
 * - `other`: nodes show that another settlement has spent the note.
 * - `unclear`: the payment may have landed, and must stay open.
 * - undefined: see `endOfPayment`.
 */
type PaymentEnd = SettlementOutcome | 'other' | 'spent' | 'unclear' | undefined

/**
 * Returns the end of a payment whose note is spent. Returns undefined if the tree isn't followed up to the settlement
 * yet. Also returns undefined if the tree lacks the payment's leaf, and no other settlement of the note is both proven
 * and shown by enough nodes.
 *
 * A payment appends the leaf that its owner signed. If the tree lacks this leaf, the payment hasn't landed. If the tree
 * has it, the payee may still be unpaid: without the service, the owner can pay another payee and leave the same
 * change. So the transaction must show the payee and the payout. If our relayer paid for the Nullifier, the transaction
 * isn't needed, because relayers sign only journalled transactions. With several nodes, two of them must show the
 * transaction, because one node and the owner together could show another signed payment that never landed.
 *
 * A transaction that landed after the signature's expiry, or before the payment was ordered, is another settlement.
 * This applies even if it has the same payee and payout. An owner can sign equal payments one after another, and each
 * signature has its own expiry.
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
  const found = await find(d, opened, settled)
  const isOther = found !== undefined && !isPayment(found, opened)
  const isProvenOther = isOther && (await isProven(d, opened, found))
  if (!isThere && !isProvenOther) return undefined
  if (isOther && !(await isSaidByTwo(d, opened, found))) return isThere ? 'unclear' : undefined
  if (isProvenOther) return 'spent'
  if (isOther) return 'other'
  if (settled.atSeconds > deliverableUntil(opened)) {
    // The transaction's proof is for a time before the signature's expiry, but the Nullifier's time is after it. So the
    // transaction or the Nullifier is false.
    return found?.shown === undefined ? 'other' : 'unclear'
  }
  const sent = liveAttemptOf(d.log, opened)
  const isSent = sent?.relayer === settled.rentPayer
  // If our relayer sent the settlement, the settlement is this payment. It can seem to have landed before the payment
  // was ordered only if a node's clock was ahead at that time.
  if (!isSent && settled.atSeconds <= payment.validUntil - PAYMENT_SECONDS_MAX) return 'other'
  // If no transaction is found, the Nullifier must show that our relayer paid for it. The answer of one node among
  // several isn't enough evidence for that.
  if (found === undefined && (!isSent || settled.isAlone === true)) {
    if (now >= settled.atSeconds + HISTORY_SECONDS) d.log.alert('history_missing', nameOf(opened))
    return 'unclear'
  }
  // If one node shows the Nullifier and another node shows none, it is uncertain who paid for the Nullifier. A node
  // that only lags will soon show it.
  const isContradicted = settled.isContradicted === true
  if (isContradicted && now < settled.atSeconds + HISTORY_SECONDS) return 'unclear'
  const isOwn = isSent && !isContradicted
  if (found !== undefined && !isOwn && !(await isSaidByTwo(d, opened, found))) return 'unclear'
  if (!(await isFollowedTo(d, settled.atSeconds, found))) return undefined
  return {
    kind: 'delivery',
    signature: found?.signature ?? (isSent ? sent.signature : undefined),
    slot: found?.slot,
    // A single node chooses the block time of `found`. The program wrote the Nullifier's time.
    unixSeconds: await recordedTime(d, settled.atSeconds),
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
 * True if the proof of a note's settlement is valid and the tree has the settlement's leaf. Another settlement of the
 * note can append the same leaf. So this settlement may still not have landed.
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
 * True if at least two nodes show this settlement of a note, and they are more than half of the nodes that show a
 * settlement. If only one node is configured, its answer is accepted.
 */
export async function isSaidByTwo(
  d: Pick<EndDependencies, 'chain' | 'log'>,
  opened: OpenedOrder,
  found: FoundSettlement,
): Promise<boolean> {
  if (d.chain.findSettlements === undefined) return true
  const said = await d.chain.findSettlements(opened.nullifier, found.unixSeconds)
  const same = said.filter(({ signature }) => signature === found.signature)
  const isSame = same.length >= 2 && same.every((one) => isEqual(one, found))
  if (isSame && 2 * same.length > said.length) return true
  const isOneAlone = said.length <= 1
  d.log.alert(isOneAlone ? 'history_missing' : 'nodes_disagree', nameOf(opened))
  return false
}

/** True if two nodes' answers show the same settlement of a note. */
export const isEqual = (one: FoundSettlement, other: FoundSettlement): boolean =>
  one.isRefund === other.isRefund &&
  one.changeLeaf === other.changeLeaf &&
  one.payee === other.payee &&
  one.payout === other.payout &&
  one.shown?.time === other.shown?.time

async function find(
  d: Pick<EndDependencies, 'chain' | 'log'>,
  { nullifier }: OpenedOrder,
  { atSeconds }: SettledNote,
): Promise<FoundSettlement | undefined> {
  try {
    return await d.chain.findSettlement(nullifier, atSeconds)
  } catch (error) {
    d.log.failed('find_settlement', error)
    return undefined
  }
}

/**
 * True if a payment hasn't landed and can't land any more. The followed clock must be past the expiry of the payment's
 * signature. The verified tree is complete up to that clock. If the tree lacks the payment's leaf after the note, the
 * payment hasn't landed. The stored leaves must lack it too. If the tree or the stored leaves have the leaf, there are
 * two cases. If nodes show no Nullifier, their answer contradicts the tree, and the payment stays open for a week: see
 * `isLongDenied`. If a node shows another settlement, a second reading after `READINGS_APART_SECONDS` must show it too,
 * and no reading in between may contradict it.
 *
 * @param end the result of the newest reading of the Nullifier; undefined if there is no Nullifier.
 */
export async function hasExpired(
  d: EndDependencies,
  opened: OpenedOrder,
  end: 'other' | undefined,
): Promise<boolean> {
  const { payment, order } = opened
  if (end !== 'other') d.firstReadings.forget(order.orderId, 'settled')
  if (payment === undefined) return false
  const { unixSeconds } = await d.store.readCursor()
  const mayHaveLanded = await mayBeAppended(d, opened)
  // Nodes confirm this process's tree. So the confirmed time is read together with the tree, without a wait in between.
  if (!d.tree.isVerified) return false
  const witnessed = d.witness?.confirmed(unixSeconds) ?? unixSeconds
  const clock = witnessedClock(witnessed, d.clock.nowMs(), d.clockMarginSeconds)
  if (clock <= payment.validUntil) return false
  if (!mayHaveLanded) return true
  if (end !== 'other') return isLongDenied(d, opened, { clock, unixSeconds })
  const first = d.firstReadings.first(order.orderId, unixSeconds)
  return unixSeconds >= first + READINGS_APART_SECONDS
}

/**
 * Decides about a payment whose leaf is in the tree although nodes show no Nullifier. True if two conditions are met: a
 * week has passed since the expiry of the payment's signature, and for at least a day, every reading by this process
 * has shown the note as unspent. There are two possible causes: every node hides the Nullifier, or the owner made
 * another note's settlement append an equal leaf. The leaf doesn't show which of the two happened. The payment can't be
 * sent any more, because its signature has expired. But the payment can't stay open forever. An open payment prevents
 * the destruction of its hour's key, and the privacy of other orders depends on that destruction.
 *
 * @param times `unixSeconds`: the followed clock. `clock`: the same time, limited by the wall clock and, with several
 * nodes, by the time that two nodes confirm.
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
 * Ends an expired payment and its live attempt. After the signature's expiry, none of the payment's transactions can
 * land.
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
