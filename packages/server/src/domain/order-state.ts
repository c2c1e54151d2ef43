/**
 * The life of an order.
 *
 * - `awaiting_deposit` -> `deposited` -> `delivering` -> `delivered`
 * - `awaiting_deposit` -> `expired`: on the finalized chain no authorisation is valid any more, and there is no deposit
 *   (invariant I8).
 * - `deposited` or `delivering` -> `refunding` -> `refunded`: the transfer wasn't delivered in time.
 * - `refunding` -> `delivered`: nodes had hidden the delivery when the refund began, and show it now.
 * - `deposited`, `delivering` or `refunding` -> `expired`: one node had shown a deposit that doesn't exist. If a later
 *   reading shows that the tree lacks the order's leaf, the order waits for the leaf. The order expires once no deposit
 *   can land any more.
 *
 * No transition goes back. `refunding` begins only if three conditions are met: the finalized clock is past the expiry,
 * every delivery attempt is proven dead, and no node shows the Nullifier. So if at least one node answers truthfully,
 * an order that is `refunding` can't end as `delivered`. The ticket's holder can settle the note without the service.
 * Therefore `deposited` can become `delivered` or `refunded` directly. The Nullifier account and its transaction show
 * which of the two happened (invariant I2).
 *
 * A payment out of a balance has no deposit of its own:
 *
 * - `awaiting_signature` -> `delivering` -> `delivered`
 * - `awaiting_signature` or `delivering` -> `expired`: the payment can't land any more, and the balance paid nothing
 *   for it.
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

/** The usual transitions. `EXPIRING_PAYMENT` and `INVENTED_DEPOSIT` contain the other transitions to `expired`. */
const NEXT: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  awaiting_deposit: ['deposited', 'expired'],
  awaiting_signature: ['delivering', 'expired'],
  deposited: ['delivering', 'delivered', 'refunding', 'refunded'],
  delivering: ['delivered', 'refunding', 'refunded'],
  refunding: ['refunded', 'delivered'],
  delivered: [],
  refunded: [],
  expired: [],
}

/**
 * The stored statuses from which a signed payment out of a balance may end as `expired`. These statuses are stored in
 * the payment's delivery row, which has the status `deposited` before the first attempt. A transfer with one of these
 * statuses doesn't expire, because its deposit has landed. The exception is a deposit that a node invented: see
 * `INVENTED_DEPOSIT`.
 */
export const EXPIRING_PAYMENT: readonly OrderStatus[] = ['deposited', 'delivering']

/** The statuses from which an order may end as `expired` because a node invented its deposit. */
export const INVENTED_DEPOSIT: readonly OrderStatus[] = ['deposited', 'delivering', 'refunding']

/** The purpose of an attempt. */
export type AttemptKind = 'deliver' | 'refund'

/**
 * For each kind of attempt: the statuses in which it may be journalled, and the resulting status. A delivery may be
 * tried repeatedly. A refund may be journalled only while the order is `refunding`, because its delivery must have
 * ended. The exception is a refund that is only tried: see `TRIED_REFUND`.
 */
export const ATTEMPT_STATUSES: Readonly<
  Record<AttemptKind, { readonly from: readonly OrderStatus[]; readonly to: OrderStatus }>
> = {
  deliver: { from: ['deposited', 'delivering'], to: 'delivering' },
  refund: { from: ['refunding'], to: 'refunding' },
}

/** The kind of an attempt that is about to be journalled. */
export interface JournalledKind {
  readonly kind: AttemptKind
  /** True for a refund that is only tried: see `isRefundTried` of `DeliveryPlan`. */
  readonly isTrial?: boolean | undefined
}

/** True for a refund that is only tried. The order keeps its status, because its note may already be settled. */
export const isTriedRefund = ({ kind, isTrial }: JournalledKind): boolean =>
  kind === 'refund' && isTrial === true

/** True if the order's refund has begun, or is being tried while the order keeps its status. */
export const isRefunding = ({
  order,
  plan,
}: {
  readonly order: { readonly status: OrderStatus }
  readonly plan: { readonly isRefundTried?: true | undefined }
}): boolean => order.status === 'refunding' || plan.isRefundTried === true

/** The statuses in which a refund may be tried while the order keeps its status. */
export const TRIED_REFUND: readonly OrderStatus[] = ['deposited', 'delivering', 'refunding']

/** True if no other status can follow. Clients stop polling at such a status. */
export function isFinal(status: OrderStatus): boolean {
  return NEXT[status].length === 0
}

/** True if a usual transition leads from `from` to `to`. */
export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return NEXT[from].includes(to)
}

/** The statuses that can become `to` in one step. A compare-and-set uses them as its condition. */
export function statusesBefore(to: OrderStatus): OrderStatus[] {
  return ORDER_STATUSES.filter((from) => canBecome(from, to))
}
