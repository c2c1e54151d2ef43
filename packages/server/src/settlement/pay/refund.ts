import { NATIVE_MINT } from '@sotto/protocol'
import { encodePlan } from '../../domain/order-secrets.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import { nameOf, type OpenedOrder } from './opened-order.ts'
import { endOf, postpone } from './postpone.ts'
import { refundTime } from '../../domain/delivery-schedule.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Ends an order's delivery. The caller has checked, at finality, that the clock is past the expiry and then
 * that the nullifier is absent; the store checks that no attempt is live. From here on the note can only be
 * refunded, by anyone.
 */
export async function beginRefund(
  d: SettleDependencies,
  { order, secrets, plan }: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const nowMs = d.clock.nowMs()
  // The refund is due immediately, whatever the drawn delivery time and however often delivery failed.
  const next = encodePlan({ deliverAtMs: nowMs, reason: plan.reason, note: plan.note })
  const sealedPlan = secrets.seal(order.orderId, 'plan', next)
  if (await d.store.tryBeginRefund(lease, sealedPlan, nowMs)) d.log.event('refund_begun')
}

/** A refund normally lands within minutes; one that takes longer than this is blocked by something. */
const OVERDUE_SECONDS = 86_400n

/**
 * Pays a whole note back to its sender, once the grid has passed its expiry. A refund never opens a token account:
 * a sender who closes it could take its rent from the relayers each time. It waits for a payable account until
 * the refund window ends; the ticket holder can refund at any time and pay for the account.
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
  // Paying in the native coin creates the wallet.
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
