import { boundStep, type PriceBounds, type PriceStep } from '@sotto/protocol'
import { stepAfterDeath } from '../../domain/price-hour.ts'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { PriceStore } from '../../ports/price-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/** The bounds of the price that all transactions offer, and the percentile of recent prices that it follows. */
export interface PriceLimits extends PriceBounds {
  readonly percentile: number
}

export interface PriceDependencies {
  readonly store: PriceStore
  readonly prices: PriceLimits
}

/** The step of the price that every transaction signed now offers. */
export async function offeredStep({ store, prices }: PriceDependencies): Promise<PriceStep> {
  const price = await store.readPrice()
  return boundStep(price?.step ?? prices.floor, prices)
}

/**
 * Raises the price of all transactions by one step if a dead attempt seems to have offered too little. The price is
 * raised for all transactions, because a single order with a higher price would be recognised. If the attempt is in a
 * block, the price was high enough, and the payee may have caused the failure in order to raise our costs. This must
 * run before the attempt is marked dead, so that the next attempt offers more.
 */
export async function raiseAfterDeath(
  d: PriceDependencies & {
    readonly chain: Pick<ChainPay, 'isInBlock'>
    readonly log: Pick<SettlementLog, 'event' | 'failed'>
  },
  attempt: { readonly signature: string; readonly step: PriceStep; readonly number: number },
): Promise<void> {
  const step = stepAfterDeath(attempt, d.prices)
  if (step === undefined || (await wasInBlock(d, attempt.signature))) return
  await d.store.raisePrice(step)
  d.log.event('price_raised')
}

/** If no node answers, the attempt counts as not in a block, because the price must rise even while nodes fail. */
async function wasInBlock(
  d: {
    readonly chain: Pick<ChainPay, 'isInBlock'>
    readonly log: Pick<SettlementLog, 'failed'>
  },
  signature: string,
): Promise<boolean> {
  try {
    return await d.chain.isInBlock(signature)
  } catch (error) {
    d.log.failed('unit_price', error)
    return false
  }
}
