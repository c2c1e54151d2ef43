import { wholeNumber } from '../../domain/whole-number.ts'
import type { Account } from '../../ports/account-store.ts'
import type { MarketAsset } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'
import type { Allowance, GiveBack } from './allowance.ts'
import { accountShare } from './order-room.ts'

/** The unit of the allowance: a thousandth of the spread of a swap that takes the account's whole share. */
const UNITS = 1_000
const WHOLE_BPS = 10_000n
const DAY_SECONDS = 86_400
/**
 * Number of whole spreads that an account may use in a day. A whole spread is the spread of a swap that takes the
 * account's whole share.
 */
const SPREADS_PER_DAY = 3

/** The allowance of each account and asset. A used-up allowance refills evenly within a day. */
export const BETTER_ORDERS = {
  perSecond: (SPREADS_PER_DAY * UNITS) / DAY_SECONDS,
  burst: SPREADS_PER_DAY * UNITS,
} as const

export interface BetterOrderLimits {
  /** Has one allowance for each account and each asset that the account's swaps pay out. */
  readonly betterOrders: Allowance
  readonly spreadBps: number
  readonly accountSharePercent: number
}

/**
 * Counts by how much a swap's order is better than a new quote. Someone who collects quotes and orders only after the
 * price has fallen uses up the allowance, and then gets orders only at the present price. Other callers of the account
 * can still get a new quote and order at its price. After honest quotes, the price falls as often as it rises, so
 * honest orders use little of the allowance.
 *
 * @param betterBy how much more the order pays out than a new quote would, in base units of the destination.
 * @returns a function that puts back into the allowance what the order has taken.
 * @throws ServiceError PRICE_MOVED if the order is better than a new quote and the allowance is used up.
 */
export function countBetterOrder(
  { betterOrders, spreadBps, accountSharePercent }: BetterOrderLimits,
  { id }: Pick<Account, 'id'>,
  destination: MarketAsset,
  betterBy: bigint,
): GiveBack {
  const share = accountShare(destination, accountSharePercent)
  const spread = share * BigInt(spreadBps)
  // Without a share there is no room for the swap, so the database refuses it.
  if (betterBy <= 0n || spread === 0n) return () => undefined
  const units = (betterBy * WHOLE_BPS * BigInt(UNITS) + spread - 1n) / spread
  const most = BigInt(BETTER_ORDERS.burst)
  const counted = wholeNumber(units < most ? units : most)
  const name = `${id} ${destination.listing.mint}`
  if (!betterOrders.take(name, counted).isAllowed) throw new ServiceError('PRICE_MOVED')
  return () => betterOrders.giveBack(name, counted)
}
