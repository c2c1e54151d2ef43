import { boundStep, type Amount, type PriceBounds, type PriceStep } from '@sotto/protocol'
import { costAfter, mayRaise, type InBlock, type OrderCostLimits } from '../../domain/order-cost.ts'
import { stepAfterDeath } from '../../domain/price-hour.ts'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { PriceStore } from '../../ports/price-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/**
 * The bounds of the price that all transactions offer, the percentile of recent prices that it follows, and the most
 * that one order's attempts may cost.
 */
export interface PriceLimits extends PriceBounds, OrderCostLimits {
  readonly percentile: number
}

export interface PriceDependencies {
  readonly store: PriceStore
  readonly prices: PriceLimits
}

/** The price step that every transaction offers if it is signed now. */
export async function offeredStep({ store, prices }: PriceDependencies): Promise<PriceStep> {
  const price = await store.readPrice()
  return boundStep(price?.step ?? prices.floor, prices)
}

/** An attempt that can't land any more. */
export interface DeadAttempt {
  readonly signature: string
  /** The price step that the attempt offered. */
  readonly step: PriceStep
  /** The attempt's number among the order's attempts, from 1. */
  readonly number: number
  /** The sum that the order's earlier attempts may have cost. */
  readonly cost: Amount
}

interface DeathDependencies extends PriceDependencies {
  readonly chain: Pick<ChainPay, 'isInBlock'>
  readonly log: Pick<SettlementLog, 'event' | 'failed'>
}

/**
 * Raises the price of all transactions by one step if a dead attempt seems to have offered too little. The price is
 * raised for all transactions, because a single order with a higher price would be recognised. If the attempt is in a
 * block, the price was high enough, and the payee may have caused the failure in order to raise our costs. Once an
 * order's attempts may have cost the allowed sum, its further dead attempts don't raise the price. This must run before
 * the attempt is marked dead, so that the next attempt offers more. Returns the sum that the order's attempts may have
 * cost so far.
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
 * If no node answers, the price rises as if the attempt were in no block, because it must rise even while nodes fail.
 * The attempt's cost is counted as if the attempt were in a block.
 */
async function inBlock(d: DeathDependencies, signature: string): Promise<InBlock> {
  try {
    return (await d.chain.isInBlock(signature)) ? 'yes' : 'no'
  } catch (error) {
    d.log.failed('unit_price', error)
    return 'unknown'
  }
}
