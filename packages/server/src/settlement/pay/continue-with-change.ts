import type { FinalizedHead, SettledNote } from '../../ports/settlement-chain.ts'
import type { PaidFrom } from '../../ports/settlement-store.ts'
import { HISTORY_SECONDS } from '../notes/evidence-times.ts'
import { underLease } from './keep-lease.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import { paidFrom } from '../notes/paid-from.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

type ContinueDependencies = Pick<
  SettleDependencies,
  'store' | 'clock' | 'log' | 'opener' | 'workerId' | 'leaseMs'
>

/**
 * Makes a balance continue with the change of a payment that stays open. The owner may have signed two payments that
 * differ only in the payee. Both leave the same change, and the chain's state doesn't show which payee was paid. But
 * the change is in the tree in either case. So the rest of the balance can be paid and returned although the payment's
 * outcome is unknown.
 *
 * An owner can also make payments of two balances leave the same change. Then the leaf in the tree may belong to either
 * payment, so the balance doesn't continue.
 */
export async function continueWithChange(
  d: ContinueDependencies,
  opened: OpenedOrder,
  { atSeconds }: SettledNote,
  { unixSeconds }: Pick<FinalizedHead, 'unixSeconds'>,
): Promise<void> {
  if (unixSeconds < atSeconds + HISTORY_SECONDS) return
  const balance = await openBalanceOf(d, opened)
  if (balance === undefined) return
  const [order] = await d.store.listOpen([balance.orderId])
  if (order === undefined) return
  await underLease(d, order, async (lease) => {
    // The payment may have ended before this worker got the lease.
    const now = await openBalanceOf(d, opened)
    if (now !== undefined) await d.store.tryReplacePlan(lease, now.sealedPlan, now.plan)
  })
}

/**
 * Returns the open balance whose newest note the payment spends. Returns undefined if there is no such balance, or if
 * the change may belong to another order.
 */
async function openBalanceOf(
  d: Pick<ContinueDependencies, 'store' | 'opener'>,
  opened: OpenedOrder,
): Promise<PaidFrom | undefined> {
  const from = await paidFrom(d, opened)
  if (from === undefined || from === 'elsewhere') return undefined
  return (await isClaimed(d, opened)) ? undefined : from
}

/** True if another open payment leaves the same change, or if the note of an open order has the same leaf. */
async function isClaimed(
  { store, opener }: Pick<ContinueDependencies, 'store' | 'opener'>,
  { changeLeaf, order }: OpenedOrder,
): Promise<boolean> {
  const payments = await opener.openPayments(await store.listPayments())
  const isOther = (one: OpenedOrder) => Buffer.compare(one.order.orderId, order.orderId) !== 0
  if (payments.some((one) => isOther(one) && one.changeLeaf === changeLeaf)) return true
  const open = await opener.openAll(await store.listOpen())
  return open.some(({ leaf }) => leaf === changeLeaf)
}
