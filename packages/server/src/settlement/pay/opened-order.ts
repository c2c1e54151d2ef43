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
 * True if the service has nothing to return from a balance, for one of three reasons: the service keeps no data of the
 * balance, payments have spent all of it, or its owner has ended it and leaves the rest in the pool.
 */
export const isLeftToOwner = ({
  terms,
  note,
  plan,
}: Pick<OpenedOrder, 'terms' | 'note' | 'plan'>): boolean =>
  terms.isUnkept === true || note.value === 0n || plan.note?.isLeft === true

/** True if the order's refund has begun, or is tried while the order keeps its status. */
export const isRefunding = ({
  order,
  plan,
}: {
  readonly order: Pick<OpenOrder, 'status'>
  readonly plan: Pick<DeliveryPlan, 'isRefundTried'>
}): boolean => order.status === 'refunding' || plan.isRefundTried === true

/** `crowd_missed` if a refund of this order would be due to a missed crowd; otherwise undefined. */
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
  /** The order's note. For a balance, it is the newest note, which has the value that payments have left. */
  readonly note: Note
  readonly leafIndex: number
  readonly nullifier: bigint
  /**
   * The leaf that the order's note must have. If the tree has a different leaf at `leafIndex`, the note can't be
   * proved.
   */
  readonly leaf: bigint
  /**
   * The leaf that the order's settlement appends. It doesn't depend on the wallet that sends the settlement, but the
   * ticket's holder can choose a different leaf. It is never stored, because it would link the order to its settlement.
   */
  readonly changeLeaf: bigint
  /** For a payment out of a balance: the payment that the owner signed. Undefined for any other order. */
  readonly payment?: SignedPayment | undefined
  /** For a payment: the order id of the balance, which the payment's ticket contains. */
  readonly balanceId?: Uint8Array | undefined
}

/** The last second in which an order can be delivered, or in which a payment can land. */
export function deliverableUntil({
  note,
  payment,
}: Pick<OpenedOrder, 'note' | 'payment'>): UnixSeconds {
  if (payment === undefined || payment.validUntil > note.expiry) return note.expiry
  return payment.validUntil
}

/**
 * The order's pseudonym on the delivery side, in hex. An alert may contain the pseudonym, because without the epoch's
 * key it can't be linked to a deposit.
 */
export const nameOf = ({ order, secrets }: Pick<OpenedOrder, 'order' | 'secrets'>): string =>
  Buffer.from(secrets.pseudonym(order.orderId)).toString('hex')
