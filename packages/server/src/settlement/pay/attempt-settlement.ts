import { unitPriceOf, type PriceStep } from '@sotto/protocol'
import { mayOffer, NO_COST } from '../../domain/order-cost.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import { broadcast } from './broadcast.ts'
import { journalAttempt } from './journal.ts'
import { nameOf, type OpenedOrder } from './opened-order.ts'
import { offeredStep } from './offered-price.ts'
import { pickRelayer } from './pick-relayer.ts'
import { postpone, type Postponement } from './postpone.ts'
import type { SettleStatement } from './kept-proofs.ts'
import { prove } from './prove.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** A settlement to attempt, and how the order is postponed if this settlement is refused. */
export interface PlannedSettlement extends SettleStatement {
  /** True if the relayer pays for the payee's missing token account, because the order paid for it. */
  readonly opensAccount: boolean
  readonly refused: Postponement
}

/**
 * One attempt at paying a note: prove it, sign it, simulate it, journal it, and only then send it. Its outcome is read
 * later from the program's state, by `confirmOrders`.
 */
export async function attemptSettlement(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
  planned: PlannedSettlement,
): Promise<void> {
  // An order that must wait is not proved, because its proofs would take the prover's time from other orders.
  if ((await allowedStep(d, opened)) === undefined) return waitForPrice(d, opened, lease, planned)
  const relayer = await pickRelayer(d)
  const settlement = await prove(d, opened, planned)
  const { opensAccount } = planned
  const { mint } = opened.note
  // The price may have changed meanwhile, and all transactions offer the present price.
  const step = await allowedStep(d, opened)
  if (step === undefined) return waitForPrice(d, opened, lease, planned)
  const unitPrice = unitPriceOf(step)
  const signed = await d.chain.sign({ relayer, mint, settlement, opensAccount, unitPrice })
  const simulated = await d.chain.simulate(signed)
  if (simulated === 'root_refused') {
    d.proofs.refuse(opened)
    d.checkpoints.forget()
  }
  if (simulated !== 'accepted') {
    d.log.alert('settlement_refused', nameOf(opened))
    return postpone(d, opened, lease, planned.refused)
  }
  const kind = planned.isRefund ? 'refund' : 'deliver'
  const isTrial = planned.isRefund && opened.plan.isRefundTried === true
  const attempt = { kind, signed, relayer: relayer.address, step, isTrial } as const
  if (!(await journalAttempt(d, opened, lease, attempt))) return
  d.log.event(`${kind}_journalled`)
  d.broadcasts.rest(opened.order.orderId, d.clock.nowMs())
  await broadcast(d, signed.wire)
}

/**
 * The price step that the attempt offers; undefined if the order's attempts could then cost more than the allowed sum.
 */
async function allowedStep(
  d: Pick<SettleDependencies, 'store' | 'prices'>,
  { plan }: OpenedOrder,
): Promise<PriceStep | undefined> {
  const step = await offeredStep(d)
  return mayOffer(plan.cost ?? NO_COST, step, d.prices) ? step : undefined
}

async function waitForPrice(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
  { refused }: PlannedSettlement,
): Promise<void> {
  d.log.alert('order_cost_at_limit', nameOf(opened))
  return postpone(d, opened, lease, refused)
}
