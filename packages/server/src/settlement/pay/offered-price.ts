import { boundStep, type Amount, type PriceBounds, type PriceStep } from '@sotto/protocol'
import { costAfter, mayRaise, type InBlock, type OrderCostLimits } from '../../domain/order-cost.ts'
import { stepAfterDeath } from '../../domain/price-hour.ts'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { PriceStore } from '../../ports/price-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/**
 * The limits of the price that all transactions offer, and of the cost of one order's attempts. The price follows this
 * `percentile` of recent prices.
 */
export interface PriceLimits extends PriceBounds, OrderCostLimits {
  readonly percentile: number
}

export interface PriceDependencies {
  readonly store: PriceStore
  readonly prices: PriceLimits
}

/** The price step that a transaction offers if it is signed now. */
export async function offeredStep({ store, prices }: PriceDependencies): Promise<PriceStep> {
  const price = await store.readPrice()
  return boundStep(price?.step ?? prices.floor, prices)
}

/** An attempt that can't land any more. */
export interface DeadAttempt {
  readonly signature: string
  /** The price step that the attempt offered. */
  readonly step: PriceStep
  /** The number of the attempt among the order's attempts, counted from 1. */
  readonly number: number
  /** Lamports of priority fee that the order's earlier attempts may have cost. */
  readonly cost: Amount
}

interface DeathDependencies extends PriceDependencies {
  readonly chain: Pick<ChainPay, 'isInBlock'>
  readonly log: Pick<SettlementLog, 'event' | 'failed'>
}

/**
 * Raises the price of all transactions by one step if a dead attempt seems to have offered too little. A higher price
 * for a single order would make its transactions recognisable.
 *
 * The price isn't raised in three cases:
 * - `stepAfterDeath` allows no higher step.
 * - The attempt is in a block. Then its price was high enough. The payee may have made it fail in order to raise our
 *   costs.
 * - The order's attempts may already have cost the allowed sum.
 *
 * This function must run before the attempt is marked dead, so that the next attempt offers the higher price. Returns
 * the lamports of priority fee that the order's attempts may have cost so far.
 */
export async function raiseAfterDeath(d: DeathDependencies, attempt: DeadAttempt): Promise<Amount> {
  const seen = await inBlock(d, attempt.signature)
  const cost = costAfter(attempt.cost, attempt.step, seen)
  const step = stepAfterDeath(attempt, d.prices)
  if (seen === 'yes' || step === undefined || !mayRaise(cost, d.prices)) return cost
  await d.store.raisePrice(step)
  d.log.event('price_raised')
  return cost
}

/**
 * Returns whether a block contains the attempt. Returns `unknown` if no node answers. If the result is `unknown`, the
 * price still rises, because it must be able to rise while nodes fail. But the attempt's cost is counted as if a block
 * contained the attempt.
 */
async function inBlock(d: DeathDependencies, signature: string): Promise<InBlock> {
  try {
    return (await d.chain.isInBlock(signature)) ? 'yes' : 'no'
  } catch (error) {
    d.log.failed('unit_price', error)
    return 'unknown'
  }
}
