import { witnessedClock } from '../../domain/followed-slot.ts'
import { PAYMENT_SECONDS_MAX } from '../../domain/payment-life.ts'
import type { SettlementOutcome } from '../../domain/order-secrets.ts'
import type { FinalizedHead, FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import { liveAttemptOf } from './journal.ts'
import { deliverableUntil, nameOf, type OpenedOrder } from './opened-order.ts'
import { isProvenSettlement } from './proven-settlement.ts'
import { isAppended } from './settlement-evidence.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** How long nodes may take to show a payment that we didn't send before an alert is raised. */
export const HISTORY_SECONDS = 120n
/** Between two readings of what contradicts the tree, by the followed clock, which no single node moves ahead. */
const READINGS_APART_SECONDS = 120n

export type EndDependencies = Pick<
  SettleDependencies,
  | ('chain' | 'store' | 'clock' | 'clockMarginSeconds' | 'log' | 'tree' | 'firstReadings')
  | ('poseidon' | 'pool' | 'verifier' | 'witness')
>

/**
 * `other`: a node says that something else has spent the note. `spent`: that is proven. `unclear`: the payment may have
 * landed, and must stay open.
 */
type PaymentEnd = SettlementOutcome | 'other' | 'spent' | 'unclear' | undefined

/**
 * How a payment ended if its note is spent; undefined while the tree shows nothing of it. A payment appends the leaf
 * that its owner signed, so without that leaf in the tree nothing of it has landed. The leaf alone doesn't prove that
 * the payee was paid: the owner may spend the note by their own hand, for another payee and with the same change. So
 * the transaction must name payee and payout, unless our relayer has paid for it: relayers sign only what we
 * journalled. What landed after the signature's end, or before the payment was ordered, is another settlement, even if
 * it pays the same: the owner can sign equal payments, one after another, and each must end on its own.
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
  if (isOther && (await isProven(d, opened, found))) return 'spent'
  if (!isThere) return undefined
  if (isOther && !(await isSaidByTwo(d, opened, found))) return 'unclear'
  if (isOther) return 'other'
  if (settled.atSeconds > deliverableUntil(opened)) {
    // A transaction that was proved in time contradicts the Nullifier: one of the two is false.
    return found?.shown === undefined ? 'other' : 'unclear'
  }
  const sent = liveAttemptOf(d.log, opened)
  const isSent = sent?.relayer === settled.rentPayer
  // What our relayer sent had been signed, even if a node's clock was ahead when the payment was ordered.
  if (!isSent && settled.atSeconds <= payment.validUntil - PAYMENT_SECONDS_MAX) return 'other'
  // Without the transaction, one of several nodes is not enough to say who paid for it.
  if (found === undefined && (!isSent || settled.isAlone === true)) {
    if (now >= settled.atSeconds + HISTORY_SECONDS) d.log.alert('history_missing', nameOf(opened))
    return 'unclear'
  }
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

/** True if the owner's proof shows that another settlement has spent the note, and the tree has what it left. */
async function isProven(
  d: EndDependencies,
  { nullifier, leafIndex }: OpenedOrder,
  { shown }: FoundSettlement,
): Promise<boolean> {
  if (shown?.nullifier !== nullifier) return false
  const index = (await d.store.findLeaves([shown.changeLeaf])).get(shown.changeLeaf)
  return index !== undefined && index > leafIndex && isProvenSettlement(d, index, shown)
}

/**
 * True if two nodes, and more than disagree, show this settlement of a note. With one node configured, its word counts.
 */
async function isSaidByTwo(
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

const isEqual = (one: FoundSettlement, other: FoundSettlement): boolean =>
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
 * True if a payment can't have landed and never will: the followed clock is past its end, and the verified tree, which
 * is complete up to that clock, lacks its leaf after the note. If the tree has the leaf, a node that shows no Nullifier
 * contradicts the tree, and the payment stays open. If a node shows another settlement, two such readings must be some
 * time apart, without a reading between them that says otherwise.
 *
 * @param end what the newest reading of the Nullifier says; undefined if there is none.
 */
export async function hasExpired(
  d: EndDependencies,
  opened: OpenedOrder,
  end: 'other' | undefined,
): Promise<boolean> {
  const { payment, order, leafIndex, changeLeaf } = opened
  if (end !== 'other') d.firstReadings.forget(order.orderId)
  if (payment === undefined || !d.tree.isVerified) return false
  const { unixSeconds } = await d.store.readCursor()
  const witnessed = d.witness?.confirmed(unixSeconds) ?? unixSeconds
  const clock = witnessedClock(witnessed, d.clock.nowMs(), d.clockMarginSeconds)
  if (clock <= payment.validUntil) return false
  const index = (await d.store.findLeaves([changeLeaf])).get(changeLeaf)
  if (index === undefined || index <= leafIndex) return true
  if (end !== 'other') {
    if (clock >= payment.validUntil + HISTORY_SECONDS)
      d.log.alert('history_missing', nameOf(opened))
    return false
  }
  const first = d.firstReadings.first(order.orderId, unixSeconds)
  return unixSeconds >= first + READINGS_APART_SECONDS
}

/** Ends a payment that has expired, with its live attempt: past its end no transaction of it can land. */
export async function expirePayment(
  d: Pick<EndDependencies, 'store' | 'clock' | 'log'>,
  { order: { orderId, attempt } }: OpenedOrder,
): Promise<void> {
  const isDone = await d.store.tryComplete(
    {
      ...{ orderId, to: 'expired', sealedOutcome: undefined },
      attempt: attempt && { number: attempt.number, hasLanded: false },
    },
    d.clock.nowMs(),
  )
  if (isDone) d.log.event('payment_expired')
}
