/**
 * Maximum number of unpaid orders, and of unpaid swaps, of the send page's visitors from one network. The limit is
 * needed because all visitors share one account.
 */
export const OF_NETWORK = { ordersMax: 10, swapsMax: 3 } as const

/** Visitors from one network may reserve at most the account's share of an inventory, divided by this number. */
export const NETWORK_PART = 2n

/** The number of an account's unpaid orders, and the outcomes of its newest finished orders. */
interface Unpaid {
  readonly accountId: string
  readonly open: number
  readonly paid: number
  readonly ended: number
}

/** The unit of shares: one order is 1,000 thousandths. */
const WHOLE = 1_000
/** An account's history starts with this many imaginary orders that were all paid. */
const PRIOR_ORDERS = 20
/**
 * The lowest share of paid orders that is assumed, in thousandths. Without this minimum, an unpaid order of an account
 * that never pays would count as almost nothing. The account could then create far too many orders.
 */
const RATE_MIN = 100

/** The share of an account's orders that are paid, in thousandths. */
export function paymentRate({ paid, ended }: Pick<Unpaid, 'paid' | 'ended'>): number {
  const rate = Math.ceil(((paid + PRIOR_ORDERS) * WHOLE) / (ended + PRIOR_ORDERS))
  return Math.max(RATE_MIN, rate)
}

/**
 * The maximum number of unpaid orders of an account, if the relayers could pay for `freeOrders` additional orders. Each
 * unpaid order is weighted by its account's share of paid orders. An account may use all capacity that other accounts
 * leave free, and always at least an equal part of the capacity. So the unpaid orders of one account never use up
 * another account's part.
 *
 * The capacity is rounded down to a power of two. With an exact capacity, an account at its limit could infer two
 * numbers from its refused orders: how many deposits of other accounts are transfers, and how many orders of other
 * accounts were just paid.
 */
export function unpaidOrdersMax(
  freeOrders: number,
  unpaid: readonly Unpaid[],
  accountId: string,
): number {
  const own = unpaid.find((one) => one.accountId === accountId)
  const others = unpaid.filter((one) => one.accountId !== accountId)
  const expected = others.reduce((sum, one) => sum + one.open * paymentRate(one), 0)
  const free = freeOrders * WHOLE
  const part = Math.floor(free / (others.length + 1))
  const capacity = powerOfTwoBelow(Math.floor(Math.max(part, free - expected) / WHOLE))
  return Math.floor((capacity * WHOLE) / paymentRate(own ?? { paid: 0, ended: 0 }))
}

/** The greatest power of two that isn't greater than a whole number below 2^31; 0 for 0. */
const powerOfTwoBelow = (value: number): number => (value === 0 ? 0 : 2 ** (31 - Math.clz32(value)))
