import { unitPriceOf, type PriceStep } from '@sotto/protocol'
import { mayOffer, NO_COST } from '../../domain/order-cost.ts'
import type { Lease } from '../../ports/settlement-store.ts'
import { broadcast } from './broadcast.ts'
import { journalAttempt } from './journal.ts'
import { nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { offeredStep } from './offered-price.ts'
import { pickRelayer } from './pick-relayer.ts'
import { postpone, type Postponement } from './postpone.ts'
import type { SettleStatement } from './kept-proofs.ts'
import { prove } from './prove.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** A settlement to attempt, and the data for postponing the order if the settlement is refused. */
export interface PlannedSettlement extends SettleStatement {
  /** True if the relayer pays for the payee's missing token account. The order's network fee covers this cost. */
  readonly opensAccount: boolean
  readonly refused: Postponement
  /**
   * Checked after the proof, because the proof may have waited for a prover. False if the settlement isn't due any
   * more.
   */
  readonly isStillDue?: () => Promise<boolean>
}

/**
 * Makes one attempt to pay a note. It picks a relayer, proves, signs and simulates the settlement, and writes it to the
 * journal. Only then does it send the settlement. Later, `confirmOrders` reads the outcome from the program's accounts.
 */
export async function attemptSettlement(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
  planned: PlannedSettlement,
): Promise<void> {
  // An order that must wait for a lower price isn't proved yet. Its proof would take the prover's time from other
  // orders.
  if ((await allowedStep(d, opened)) === undefined) return waitForPrice(d, opened, lease, planned)
  const relayer = await pickRelayer(d)
  const settlement = await prove(d, opened, planned)
  if ((await planned.isStillDue?.()) === false) return
  const { opensAccount } = planned
  const { mint } = opened.note
  // The price may have changed during the proof. Every transaction must offer the current price.
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
 * Returns the price step that the attempt offers. Returns undefined if the order's attempts, with one more at this
 * price, could cost more than the allowed sum.
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
