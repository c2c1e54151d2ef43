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
 * An account that existed at the quote and was closed since isn't created again, because the recipient could take its
 * rent again and again. If the account didn't exist at the quote, the network fee has paid for its creation.
 */
const paidForAccount = ({ terms }: OpenedOrder): boolean => !terms.accountExisted

/** A missing wallet is payable in the native coin, because the payment creates it. */
async function isPayable(d: SettleDependencies, opened: OpenedOrder): Promise<boolean> {
  const { mint } = opened.note
  const state = await d.chain.readPayee(mint, opened.terms.recipient, 'recipient')
  if (state !== 'absent') return state === 'payable'
  return mint === NATIVE_MINT || paidForAccount(opened)
}
