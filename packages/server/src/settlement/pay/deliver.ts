import { NATIVE_MINT } from '@sotto/protocol'
import type { Lease } from '../../ports/settlement-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import { deliverableUntil, nameOf, type OpenedOrder } from './opened-order.ts'
import { postpone } from './postpone.ts'
import { deliveryTime } from '../../domain/delivery-schedule.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** Delivers a note to its recipient, or postpones the delivery if the recipient's account can't receive it now. */
export async function deliver(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const clock = await d.chain.readClock()
  const end = deliverableUntil(opened)
  const time = deliveryTime(clock, end)
  if (time === undefined) return
  const refused = { clock, end }
  if (!(await isPayable(d, opened))) {
    d.log.alert('recipient_not_payable', nameOf(opened))
    return postpone(d, opened, lease, { ...refused, reason: 'recipient_not_payable' })
  }
  const opensAccount = paidForAccount(opened)
  await attemptSettlement(d, opened, lease, { isRefund: false, time, opensAccount, refused })
}

/**
 * True if the order's network fee has paid for a new token account, because the recipient had none at the quote. If the
 * account existed at the quote and was closed since, the relayer doesn't pay for a new one. Otherwise the recipient
 * could close it again and again, and collect its rent each time.
 */
const paidForAccount = ({ terms }: OpenedOrder): boolean => !terms.accountExisted

/**
 * True if the recipient can be paid now. In the native coin a missing wallet can be paid, because the payment creates
 * it.
 */
async function isPayable(d: SettleDependencies, opened: OpenedOrder): Promise<boolean> {
  const { mint } = opened.note
  const state = await d.chain.readPayee(mint, opened.terms.recipient, 'recipient')
  if (state !== 'absent') return state === 'payable'
  return mint === NATIVE_MINT || paidForAccount(opened)
}
