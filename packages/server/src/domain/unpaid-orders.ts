/** What the visitors of one network may leave unpaid on the send page, which has one account for all of them. */
export const OF_NETWORK = { ordersMax: 10, swapsMax: 3 } as const

/** Of the account's share of an inventory, one such network may hold back no more than the part of this. */
export const NETWORK_PART = 2n

/** What is known of one account's unpaid orders, and of its newest ended ones. */
interface Unpaid {
  readonly accountId: string
  readonly open: number
  readonly paid: number
  readonly ended: number
}

/** Shares are counted in thousandths of an order. */
const WHOLE = 1_000
/** An account without a history counts as one that has always paid, so many times. */
const PRIOR_ORDERS = 20
/** Nobody counts as paying less often: whoever never paid may begin to. */
const RATE_MIN = 100

/** How often an account's orders get paid, in thousandths. */
export function paymentRate({ paid, ended }: Pick<Unpaid, 'paid' | 'ended'>): number {
  const rate = Math.ceil(((paid + PRIOR_ORDERS) * WHOLE) / (ended + PRIOR_ORDERS))
  return Math.max(RATE_MIN, rate)
}

/**
 * How many unpaid orders an account may have, where relayers could pay for `freeOrders` more than are paid
 * for. Each counts by how often the account's orders get paid. Whatever others leave free may be had, and
 * an equal part in any case: so nobody's unpaid orders take another's part, however many they are.
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
