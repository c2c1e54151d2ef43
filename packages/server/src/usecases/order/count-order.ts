import type { Account } from '../../ports/account-store.ts'
import type { CreateOutcome } from '../../ports/order-store.ts'
import type { QuoteId } from '../../domain/quote-id.ts'
import type { MarketAsset } from '../market/market.ts'
import type { GiveBack } from './allowance.ts'
import { countBetterOrder, type BetterOrderLimits } from './better-orders.ts'
import { countCrowdOrder, type CrowdOrders } from './crowd-orders.ts'

export interface CountDependencies extends BetterOrderLimits {
  readonly crowdOrders: CrowdOrders
}

interface CountedOrder {
  readonly account: Pick<Account, 'id' | 'visitor'>
  readonly quoteId: Pick<QuoteId, 'crowd'>
  readonly destination: MarketAsset
  /** How much more the order pays out than a new quote would, in base units of the destination. */
  readonly betterBy: bigint
}

/**
 * Creates an order that the account's allowances admit. An order that isn't created uses up no allowance. If `create`
 * throws, the order may have been created, so it stays counted.
 *
 * @throws ServiceError RATE_LIMITED or PRICE_MOVED if an allowance is used up.
 */
export async function createCounted(
  d: CountDependencies,
  counted: CountedOrder,
  create: () => Promise<CreateOutcome>,
): Promise<CreateOutcome> {
  const giveBack = countOrder(d, counted)
  const outcome = await create()
  if (outcome !== 'created') giveBack()
  return outcome
}

function countOrder(
  d: CountDependencies,
  { account, quoteId, destination, betterBy }: CountedOrder,
): GiveBack {
  const giveBackBetter = countBetterOrder(d, account, destination, betterBy)
  try {
    const giveBackCrowd = countCrowdOrder(d.crowdOrders, account, quoteId.crowd)
    return () => {
      giveBackBetter()
      giveBackCrowd()
    }
  } catch (refusal) {
    giveBackBetter()
    throw refusal
  }
}
