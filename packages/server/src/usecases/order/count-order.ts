import type { Account } from '../../ports/account-store.ts'
import type { CreateOutcome, OrderStore } from '../../ports/order-store.ts'
import { areSameBytes } from '../../domain/same-bytes.ts'
import type { QuoteId } from '../../domain/quote-id.ts'
import type { MarketAsset } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'
import type { GiveBack } from './allowance.ts'
import { countBetterOrder, type BetterOrderLimits } from './better-orders.ts'
import { countCrowdOrder, type CrowdOrders } from './crowd-orders.ts'

export interface CountDependencies extends BetterOrderLimits {
  readonly orders: Pick<OrderStore, 'findReplays'>
  readonly crowdOrders: CrowdOrders
  /** The nonces of the quotes whose orders this replica is creating now. */
  readonly ordering: Set<Uint8Array>
}

interface CountedOrder {
  readonly account: Pick<Account, 'id' | 'visitor'>
  readonly quoteId: Pick<QuoteId, 'nonce' | 'crowd'>
  readonly destination: MarketAsset
  /** How much more the order pays out than a new quote would, in base units of the destination. */
  readonly betterBy: bigint
}

/**
 * Creates an order that the account's allowances admit. An order that isn't created uses up no allowance. If `create`
 * throws, the order may have been created, so it stays counted.
 *
 * @throws ServiceError RATE_LIMITED or PRICE_MOVED if an allowance is used up; ORDER_IN_PROGRESS if an order with the
 * same quote may have used it up.
 */
export async function createCounted(
  d: CountDependencies,
  counted: CountedOrder,
  create: () => Promise<CreateOutcome>,
): Promise<CreateOutcome> {
  const { nonce } = counted.quoteId
  let giveBack: GiveBack
  try {
    giveBack = countOrder(d, counted)
  } catch (refusal) {
    if (!(await isOrdered(d, counted))) throw refusal
    throw new ServiceError('ORDER_IN_PROGRESS', { retryAfterSeconds: 1 })
  }
  d.ordering.add(nonce)
  try {
    const outcome = await create()
    if (outcome !== 'created') giveBack()
    return outcome
  } finally {
    d.ordering.delete(nonce)
  }
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

/**
 * True if another request is creating an order with this quote, or has created one since this request searched for it.
 */
async function isOrdered(
  { orders, ordering }: CountDependencies,
  { account, quoteId: { nonce } }: CountedOrder,
): Promise<boolean> {
  if ([...ordering].some((other) => areSameBytes(other, nonce))) return true
  return (await orders.findReplays(account.id, nonce, undefined)).length > 0
}
