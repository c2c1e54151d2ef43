/**
 * The life of an order.
 *
 *   awaiting_deposit -> deposited -> delivering -> delivered
 *   awaiting_deposit -> expired      no authorisation is valid any more on the finalized chain, and there is no deposit (I8)
 *   deposited / delivering -> refunding -> refunded
 *
 * Nothing else, never back. `refunding` begins only once the finalized clock is past the expiry, every
 * delivery attempt is proven dead and the nullifier is proven absent, so that it can't end as
 * `delivered`. Whoever holds the ticket may settle without the service: `deposited` may therefore be
 * found `delivered` or `refunded` at once; the nullifier account and its transaction say which (I2).
 */
export const ORDER_STATUSES = [
  'awaiting_deposit',
  'deposited',
  'delivering',
  'delivered',
  'refunding',
  'refunded',
  'expired',
] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

const NEXT: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  awaiting_deposit: ['deposited', 'expired'],
  deposited: ['delivering', 'delivered', 'refunding', 'refunded'],
  delivering: ['delivered', 'refunding', 'refunded'],
  refunding: ['refunded'],
  delivered: [],
  refunded: [],
  expired: [],
}

/** True where no transition leads on: polling stops. */
export function isFinal(status: OrderStatus): boolean {
  return NEXT[status].length === 0
}

/** True where the state machine has an edge. */
export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return NEXT[from].includes(to)
}

/** Statuses from which `to` can be reached in one step: the guard of a compare-and-set. */
export function statusesBefore(to: OrderStatus): OrderStatus[] {
  return ORDER_STATUSES.filter((from) => canBecome(from, to))
}
