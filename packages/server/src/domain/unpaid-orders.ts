/**
 * Maximum number of unpaid orders, and of unpaid swaps, for each network of send page visitors. The limit is needed
 * because all visitors share one account.
 */
export const OF_NETWORK = { ordersMax: 10, swapsMax: 3 } as const

/** Visitors of one network may reserve at most the account's share of an inventory, divided by this number. */
export const NETWORK_PART = 2n

/** The unpaid orders of an account, and the outcomes of its newest finished orders. */
interface Unpaid {
  readonly accountId: string
  readonly open: number
  readonly paid: number
  readonly ended: number
}

/** Shares are counted in thousandths of an order. */
const WHOLE = 1_000
/** An account without a history counts as if this many orders had all been paid. */
const PRIOR_ORDERS = 20
/**
 * The least assumed share of paid orders, in thousandths. With it, an account that has never paid may still create
 * orders.
 */
const RATE_MIN = 100

/** The share of an account's orders that are paid, in thousandths. */
export function paymentRate({ paid, ended }: Pick<Unpaid, 'paid' | 'ended'>): number {
  const rate = Math.ceil(((paid + PRIOR_ORDERS) * WHOLE) / (ended + PRIOR_ORDERS))
  return Math.max(RATE_MIN, rate)
}

/**
 * The number of unpaid orders that an account may have if relayers could pay for `freeOrders` further orders. Each
 * order is weighted by the account's share of paid orders. An account may use all capacity that others leave free, and
 * always at least an equal part. So one account's unpaid orders never use another account's part.
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
  return Math.floor(Math.max(part, free - expected) / paymentRate(own ?? { paid: 0, ended: 0 }))
}
