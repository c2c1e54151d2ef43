import { deliveryTimeAt, NATIVE_MINT } from '@sotto/protocol'
import { waitEnd } from '../../domain/crowd.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import { deliverableUntil, nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { isLastTry, postpone } from './postpone.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Delivers a note to its recipient. Postpones the delivery if a node says that the recipient's account can't receive it
 * now. Only one node is asked here. So if several nodes are configured, the last try isn't postponed: its simulation
 * asks the other nodes too.
 */
export async function deliver(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  const clock = await d.chain.readClock()
  const end = deliverableUntil(opened)
  const time = deliveryTimeAt(clock, end)
  if (time === undefined) return
  const left = { clock, end }
  const isPossible = await isPayable(d, opened)
  const refused = isPossible ? left : ({ ...left, reason: 'recipient_not_payable' } as const)
  if (!isPossible) {
    d.log.alert('recipient_not_payable', nameOf(opened))
    if (d.chain.hasWitnesses !== true || !isLastTry(left))
      return postpone(d, opened, lease, refused)
  }
  const opensAccount = paidForAccount(opened)
  await attemptSettlement(d, opened, lease, {
    ...{ isRefund: false, time, opensAccount, refused },
    isStillDue: () => isStillHidden(d, opened),
  })
}

/**
 * False if the transfer may be delivered only in a crowd, and the crowd isn't complete any more. The crowd was counted
 * when the delivery began. Since then, the order may have waited for the prover, and other transfers of the crowd may
 * have been delivered. The next step counts again.
 */
async function isStillHidden(
  { chain, crowds }: Pick<SettleDependencies, 'chain' | 'crowds'>,
  opened: OpenedOrder,
): Promise<boolean> {
  const { crowd } = opened.terms
  if (crowd === undefined) return true
  const clock = await chain.readClock()
  // After the wait, this transfer is delivered without a crowd.
  if (crowd.missed === 'deliver' && clock >= waitEnd(opened.note.expiry)) return true
  return crowds.isThere(opened, clock)
}

/**
 * True if the recipient had no account at the quote, so the order's network fee has paid for a new token account. If an
 * account existed at the quote but was closed since then, the relayer doesn't pay for a new one. If the relayer paid,
 * the recipient could close the account again and again, and collect its rent each time.
 */
const paidForAccount = ({ terms }: OpenedOrder): boolean => !terms.accountExisted

/**
 * True if the recipient can be paid now. A missing wallet can be paid in the native coin, because the payment creates
 * it.
 */
async function isPayable(d: SettleDependencies, opened: OpenedOrder): Promise<boolean> {
  const { mint } = opened.note
  const state = await d.chain.readPayee(mint, opened.terms.recipient, 'recipient')
  if (state !== 'absent') return state === 'payable'
  return mint === NATIVE_MINT || paidForAccount(opened)
}
