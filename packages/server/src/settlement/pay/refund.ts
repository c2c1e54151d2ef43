import { NATIVE_MINT, walletMinimum } from '@sotto/protocol'
import { encodePlan } from '../../domain/order-secrets.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import { missedCrowd, nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { mayBePaid } from '../notes/paid-from.ts'
import { endOf, isLastTry, postpone, type TimeLeft } from './postpone.ts'
import { refundTime } from '../../domain/delivery-schedule.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import { isFollowedPast, mayBeAppended } from '../notes/settlement-evidence.ts'

/**
 * Ends an order's delivery. The caller must have checked at finality first that the clock is past the expiry, and then
 * that the nullifier is absent. The store checks that the order has no live attempt. From now on, the note can only be
 * refunded, by this service or by anyone with the ticket.
 *
 * The verified tree may already have the leaf that the note's settlement appends. There are two possible reasons. The
 * note may be settled, and every node that answered has hidden its Nullifier. Or the settlement of another note has
 * appended an equal leaf, which the ticket's holder can cause. The leaf doesn't show which of the two happened, so the
 * program must decide: a refund lands only if the note has no Nullifier. So the refund is only tried, and the order
 * keeps its status until the refund has landed. If the note is settled already, the order can still end with that
 * settlement. The refund of a balance is also only tried if an open payment may have landed: see `mayBePaid`.
 */
export async function beginRefund(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const { order, secrets, plan } = opened
  const nowMs = d.clock.nowMs()
  // The refund is due immediately. Neither the drawn delivery time nor the number of failed deliveries delays it. The
  // cost of failed deliveries is also reset, so that a payee who makes deliveries fail can't delay the sender's refund.
  const { note } = plan
  const reason = plan.reason ?? missedCrowd(opened)
  const isPaidPerhaps = (await mayBePaid(d, opened)) || (await mayBeAppended(d, opened))
  // The tree may have changed since the step was chosen. Only a tree that is followed past the expiry proves that it
  // lacks the leaf of a delivery.
  if (!isFollowedPast(d, opened)) return
  if (isPaidPerhaps) {
    const tried = encodePlan({ deliverAtMs: nowMs, reason, note, isRefundTried: true })
    const sealedTry = secrets.seal(order.orderId, 'plan', tried)
    await d.store.tryReplacePlan(lease, sealedTry, order.sealedPlan)
    return
  }
  const next = encodePlan({ deliverAtMs: nowMs, reason, note })
  const sealedPlan = secrets.seal(order.orderId, 'plan', next)
  if (await d.store.tryBeginRefund(lease, sealedPlan, order.sealedPlan, nowMs))
    d.log.event('refund_begun')
}

/**
 * A refund normally lands within minutes. If it hasn't landed this many seconds after the expiry, an alert is raised.
 */
const OVERDUE_SECONDS = 86_400n

/**
 * Pays a whole note back to its sender. The refund's public time is a grid time, which is a multiple of 600 seconds. So
 * a refund starts only when the clock has reached a grid time after the note's expiry. A refund never opens a token
 * account. If it did, a sender could close the account again and again, and keep the rent that the relayers pay for it.
 * If the sender can't be paid, the refund is postponed and tried again until the refund window ends. The ticket's
 * holder can make the refund at any time, but must then pay for the account.
 */
export async function refund(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const { note } = opened
  const clock = await d.chain.readClock()
  const time = refundTime(clock, note.expiry)
  if (time === undefined) return
  if (clock > note.expiry + OVERDUE_SECONDS) d.log.alert('refund_overdue', nameOf(opened))
  const refused = { clock, end: endOf(note.expiry, true) }
  if (!(await isPayable(d, opened, refused))) {
    d.log.alert('sender_not_payable', nameOf(opened))
    return postpone(d, opened, lease, { ...refused, waitsFor: 'sender_account' })
  }
  await attemptSettlement(d, opened, lease, {
    ...{ isRefund: true, time, opensAccount: false, refused },
  })
}

/**
 * True if the sender can be paid now. A missing wallet can be paid in the native coin, because the payment creates it.
 * But the cluster refuses a new wallet with less than its minimum, for example with the small rest of a balance. One
 * node shows this minimum, and it may be false. So with several nodes, the last try goes ahead: its simulation asks all
 * nodes.
 */
async function isPayable(
  { chain }: Pick<SettleDependencies, 'chain'>,
  { note: { mint, sender, value } }: OpenedOrder,
  left: TimeLeft,
): Promise<boolean> {
  const state = await chain.readPayee(mint, sender, 'sender')
  if (state !== 'absent' || mint !== NATIVE_MINT) return state === 'payable'
  if (chain.hasWitnesses === true && isLastTry(left)) return true
  const { lamportsPerByte } = await chain.readBalances([])
  return value >= walletMinimum(lamportsPerByte)
}
