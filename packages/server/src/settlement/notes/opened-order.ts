import type { Note, SettleRequest, UnixSeconds } from '@sotto/protocol'
import type { DeliveryPlan, OutcomeReason, SealedTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'

/** A payment as its owner signed it. */
export type SignedPayment = Omit<Extract<SettleRequest, { kind: 'pay' }>, 'kind' | 'time'> & {
  /** True if the balance ends with this payment. */
  readonly isLast?: true | undefined
}

/** True for an order whose deposit opened a balance. */
export const isBalance = ({ terms }: Pick<OpenedOrder, 'terms'>): boolean =>
  terms.owner !== undefined

/**
 * True if the service has nothing to return from a balance: the service keeps no data of the balance, payments have
 * spent all of it, or its owner has ended it and leaves the rest in the pool.
 */
export const isLeftToOwner = ({
  terms,
  note,
  plan,
}: Pick<OpenedOrder, 'terms' | 'note' | 'plan'>): boolean =>
  terms.isUnkept === true || note.value === 0n || plan.note?.isLeft === true

/** Returns `crowd_missed` if a missed crowd would be the reason of this order's refund; otherwise undefined. */
export const missedCrowd = ({
  terms,
  plan,
}: Pick<OpenedOrder, 'terms' | 'plan'>): OutcomeReason | undefined =>
  terms.crowd?.missed === 'refund' && plan.crowdFromMs !== undefined ? 'crowd_missed' : undefined

/** An order with its decrypted secrets. It exists only in memory. */
export interface OpenedOrder {
  readonly order: OpenOrder
  readonly secrets: EpochSecrets
  readonly terms: SealedTerms
  readonly plan: DeliveryPlan
  /** The order's note. For a balance, it is the newest note. Its value is the rest after the payments. */
  readonly note: Note
  readonly leafIndex: number
  readonly nullifier: bigint
  /**
   * The leaf that the order's note must have. If the tree has another leaf at `leafIndex`, the note can't be proved.
   */
  readonly leaf: bigint
  /**
   * The leaf that the order's settlement appends. It is the same for every relayer. If the ticket's holder settles the
   * note, the settlement may append a different leaf. The expected leaf is never stored, because it would link the
   * order to its settlement.
   */
  readonly changeLeaf: bigint
  /** For a payment out of a balance: the payment that the owner signed. Undefined for any other order. */
  readonly payment?: SignedPayment | undefined
  /** For a payment: the order id of the balance. The payment's ticket contains it. */
  readonly balanceId?: Uint8Array | undefined
}

/** Returns the last second in which an order can be delivered, or in which a payment can land. */
export function deliverableUntil({
  note,
  payment,
}: Pick<OpenedOrder, 'note' | 'payment'>): UnixSeconds {
  if (payment === undefined || payment.validUntil > note.expiry) return note.expiry
  return payment.validUntil
}

/**
 * Returns the order's pseudonym in `settlements`, in hex. Without the epoch's key, the pseudonym can't be linked to a
 * deposit. So an alert may contain it.
 */
export const nameOf = ({ order, secrets }: Pick<OpenedOrder, 'order' | 'secrets'>): string =>
  Buffer.from(secrets.pseudonym(order.orderId)).toString('hex')
