/**
 * The life of an order.
 *
 * awaiting_deposit -> deposited -> delivering -> delivered awaiting_deposit -> expired no authorisation is valid any
 * more on the finalized chain, and there is no deposit (I8) deposited / delivering -> refunding -> refunded
 *
 * Only one more transition exists, and no transition goes back. If a later reading of the tree lacks the order's leaf,
 * the order waits for its leaf. If a node had invented the leaf, the order finally expires:
 *
 * deposited / delivering / refunding -> expired it was never deposited, and can't be any more
 *
 * `refunding` begins only once the finalized clock is past the expiry, every delivery attempt is proven dead and the
 * nullifier is proven absent, so that the order can't end as `delivered`. The ticket's holder may settle without the
 * service. Therefore `deposited` may become `delivered` or `refunded` directly. The nullifier account and its
 * transaction decide which of the two (I2).
 *
 * A payment out of a balance has no deposit:
 *
 * awaiting_signature -> delivering -> delivered awaiting_signature / delivering -> expired it can't land any more, and
 * the balance paid nothing for it
 */
export const ORDER_STATUSES = [
  'awaiting_deposit',
  'awaiting_signature',
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
  awaiting_signature: ['delivering', 'expired'],
  deposited: ['delivering', 'delivered', 'refunding', 'refunded'],
  delivering: ['delivered', 'refunding', 'refunded'],
  refunding: ['refunded'],
  delivered: [],
  refunded: [],
  expired: [],
}

/**
 * The statuses in a payment's delivery row from which the payment may end as `expired`. A transfer with such a status
 * never expires, because its deposit is in the pool by then.
 */
export const EXPIRING_PAYMENT: readonly OrderStatus[] = ['deposited', 'delivering']

/** The statuses from which an order may end as `expired` because a node invented its deposit. */
export const INVENTED_DEPOSIT: readonly OrderStatus[] = ['deposited', 'delivering', 'refunding']

/** The purpose of an attempt. */
export type AttemptKind = 'deliver' | 'refund'

/**
 * For each kind of attempt: the statuses in which it may be journalled, and the status that results. A delivery may be
 * tried again. A refund may be tried only after the order's delivery was given up.
 */
export const ATTEMPT_STATUSES: Readonly<
  Record<AttemptKind, { readonly from: readonly OrderStatus[]; readonly to: OrderStatus }>
> = {
  deliver: { from: ['deposited', 'delivering'], to: 'delivering' },
  refund: { from: ['refunding'], to: 'refunding' },
}

/** True if no transition follows. Clients stop polling at such a status. */
export function isFinal(status: OrderStatus): boolean {
  return NEXT[status].length === 0
}

/** True if the state machine allows this transition. */
export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return NEXT[from].includes(to)
}

/** Statuses that can become `to` in one step. A compare-and-set uses them as its condition. */
export function statusesBefore(to: OrderStatus): OrderStatus[] {
  return ORDER_STATUSES.filter((from) => canBecome(from, to))
}
