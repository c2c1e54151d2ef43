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
 * True for a balance from which the service has nothing to return: the service keeps no data of it, payments have taken
 * all of it, or its owner has ended it and leaves the rest in the pool.
 */
export const isLeftToOwner = ({
  terms,
  note,
  plan,
}: Pick<OpenedOrder, 'terms' | 'note' | 'plan'>): boolean =>
  terms.isUnkept === true || note.value === 0n || plan.note?.isLeft === true

/** True if the order's refund has begun or is tried. */
export const isRefunding = ({
  order,
  plan,
}: {
  readonly order: Pick<OpenOrder, 'status'>
  readonly plan: Pick<DeliveryPlan, 'isRefundTried'>
}): boolean => order.status === 'refunding' || plan.isRefundTried === true

/** The reason of a refund whose cause is a missed crowd; undefined if the refund has another reason. */
export const missedCrowd = ({
  terms,
  plan,
}: Pick<OpenedOrder, 'terms' | 'plan'>): OutcomeReason | undefined =>
  terms.crowd?.missed === 'refund' && plan.crowdFromMs !== undefined ? 'crowd_missed' : undefined

/** An order with its secrets opened, in memory only. */
export interface OpenedOrder {
  readonly order: OpenOrder
  readonly secrets: EpochSecrets
  readonly terms: SealedTerms
  readonly plan: DeliveryPlan
  /** The order's note. For a balance, it is the newest note, which holds the rest. */
  readonly note: Note
  readonly leafIndex: number
  readonly nullifier: bigint
  /** The leaf that the note must have. If the tree has another leaf at its index, the note can't be proved. */
  readonly leaf: bigint
  /**
   * The leaf that the order's settlement appends, whichever wallet sends the settlement. It is never stored, because it
   * would link the order to its settlement.
   */
  readonly changeLeaf: bigint
  /** The payment that a balance's owner signed; undefined for a transfer. */
  readonly payment?: SignedPayment | undefined
  /** For a payment: the id of the balance's order, which the payment's ticket names. */
  readonly balanceId?: Uint8Array | undefined
}

/** The last second in which an order can be delivered, or a payment can land. */
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
