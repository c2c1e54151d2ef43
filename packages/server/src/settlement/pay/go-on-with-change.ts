import type { FinalizedHead, SettledNote } from '../../ports/settlement-chain.ts'
import type { PaidFrom } from '../../ports/settlement-store.ts'
import { HISTORY_SECONDS } from './end-payment.ts'
import { underLease } from './keep-lease.ts'
import type { OpenedOrder } from './opened-order.ts'
import { paidFrom } from './paid-from.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

type GoOnDependencies = Pick<
  SettleDependencies,
  'store' | 'clock' | 'log' | 'opener' | 'workerId' | 'leaseMs'
>

/**
 * Lets a balance go on with the change of a payment that stays open. The chain's state can't say whom a settlement
 * paid: its owner may have signed two payments that differ in the payee alone. But both leave the same change, which is
 * in the tree, so the rest of the balance can be paid and returned although the payment's end is unknown.
 */
export async function goOnWithChange(
  d: GoOnDependencies,
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
    // The payment may have ended before the lease began.
    const now = await openBalanceOf(d, opened)
    if (now !== undefined) await d.store.tryReplacePlan(lease, now.sealedPlan)
  })
}

/** The open balance whose newest note is the payment's. */
async function openBalanceOf(
  d: Pick<GoOnDependencies, 'store' | 'opener'>,
  opened: OpenedOrder,
): Promise<PaidFrom | undefined> {
  const from = await paidFrom(d, opened)
  return from === 'elsewhere' ? undefined : from
}
