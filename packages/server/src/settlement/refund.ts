import { encodePlan } from '../domain/order-secrets.ts'
import type { Lease } from '../ports/settle-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import type { OpenedOrder } from './open-note.ts'
import { postpone } from './postpone.ts'
import { refundTime } from './public-time.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Gives an order up for delivery. The caller has shown, at finality, that the clock is past the
 * expiry and after that that the nullifier is absent; the store adds that no attempt is live. From
 * here on the note can only be refunded, by anyone.
 */
export async function beginRefund(
  d: SettleDependencies,
  { order, secrets, plan }: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const nowMs = d.clock.nowMs()
  // The refund is due at once, whatever time was drawn for the delivery.
  const next = encodePlan({ ...plan, deliverAtMs: nowMs })
  const sealedPlan = secrets.seal(order.orderId, 'plan', next)
  if (await d.store.tryBeginRefund(lease, sealedPlan, nowMs)) d.log.event('refund_begun')
}

/** How long a refund to an account that can't be paid rests, in milliseconds. */
const UNPAYABLE_PAUSE_MS = 60_000
/** A refund lands within minutes; one that takes longer than this has something in its way. */
const OVERDUE_SECONDS = 86_400n

/**
 * Pays a note back to its sender, once the grid has passed its expiry. A token account that the sender
 * closed is made again at the relayer's cost: nobody else could give them their money. One that is
 * frozen can't be paid by anybody, and is asked about until it can or the refund window ends.
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
  if (clock > note.expiry + OVERDUE_SECONDS) d.log.alert('refund_overdue')
  if ((await d.chain.readPayee(note.mint, note.sender)) === 'blocked') {
    d.log.alert('sender_not_payable')
    return postpone(d, opened, lease, UNPAYABLE_PAUSE_MS)
  }
  await attemptSettlement(d, opened, lease, { isRefund: true, time })
}
