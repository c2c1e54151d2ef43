import { NATIVE_MINT } from '@sotto/protocol'
import { encodePlan } from '../../domain/order-secrets.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import { missedCrowd, nameOf, type OpenedOrder } from './opened-order.ts'
import { endOf, postpone } from './postpone.ts'
import { refundTime } from '../../domain/delivery-schedule.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import { isAppended } from './settlement-evidence.ts'

/**
 * Ends an order's delivery. The caller has checked, at finality, that the clock is past the expiry, and then that the
 * nullifier is absent. The store checks that no attempt is live. From now on the note can only be refunded, by this
 * service or by anyone with the ticket.
 *
 * The verified tree may already have the leaf that the note's settlement appends. Then either the note is settled, and
 * every node that answered has hidden its Nullifier. Or the settlement of another note has appended an equal leaf,
 * which the ticket's holder can cause. The leaf doesn't show which of the two is true. The program decides: a refund
 * lands only if this note has no Nullifier. So the refund is tried, and the order keeps its status until the refund has
 * landed. If the note is settled, the order can still end with that settlement.
 */
export async function beginRefund(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const { order, secrets, plan } = opened
  const nowMs = d.clock.nowMs()
  // The refund is due immediately. Neither the drawn delivery time nor failed deliveries delay it. The cost of failed
  // deliveries doesn't count either, because a payee who makes deliveries fail could otherwise delay the sender's
  // refund.
  const { note } = plan
  const reason = plan.reason ?? missedCrowd(opened)
  if (await isAppended(d, opened, opened.changeLeaf)) {
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
 * A refund normally lands within minutes. If it takes longer than this, there is an obstacle, and an alert is raised.
 */
const OVERDUE_SECONDS = 86_400n

/**
 * Pays a whole note back to its sender, once a grid time after the note's expiry has come. A refund never opens a token
 * account: a sender who closes the account again and again could keep the rent that the relayers paid for it. The
 * refund waits for a payable account until the refund window ends. The ticket's holder can make the refund at any time,
 * and then pays for the account.
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
  const state = await d.chain.readPayee(note.mint, note.sender, 'sender')
  const refused = { clock, end: endOf(note.expiry, true) }
  // A missing wallet is payable in the native coin, because the payment creates it.
  const isPayable = state === 'payable' || (state === 'absent' && note.mint === NATIVE_MINT)
  if (!isPayable) {
    d.log.alert('sender_not_payable', nameOf(opened))
    const waitsFor = state === 'absent' ? 'sender_account' : undefined
    return postpone(d, opened, lease, { ...refused, waitsFor })
  }
  await attemptSettlement(d, opened, lease, {
    ...{ isRefund: true, time, opensAccount: false, refused },
  })
}
