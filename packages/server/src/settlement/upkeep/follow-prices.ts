import { hourOfPrice, isPriceOld, nextPriceHour } from '../../domain/price-hour.ts'
import type { ChainUpkeep } from '../../ports/settlement-chain.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { PriceDependencies } from '../pay/offered-price.ts'

export interface FollowPriceDependencies extends PriceDependencies {
  readonly chain: Pick<ChainUpkeep, 'readRecentPrice'>
  readonly store: PriceDependencies['store'] & Pick<FollowStore, 'readCursor'>
}

/**
 * Reads recent prices once in each hour of the chain's clock. From them, it computes the price that all transactions
 * offer.
 */
export async function followPrices(d: FollowPriceDependencies): Promise<void> {
  const before = await d.store.readPrice()
  const hour = hourOfPrice((await d.store.readCursor()).unixSeconds)
  if (!isPriceOld(before, hour)) return
  const recent = await d.chain.readRecentPrice(d.prices.percentile)
  // If another worker has set a price since the read, that price stays.
  await d.store.tryReplacePrice(before, nextPriceHour(before, hour, recent, d.prices))
}
