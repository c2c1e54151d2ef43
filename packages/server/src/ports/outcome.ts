import type { Address, Amount } from '@sotto/protocol'
import type { ShownSettlement } from '../domain/observed-market.ts'
import type { PaidFrom } from './upkeep-records.ts'

/** The outcome of an order, proven by the program's state. */
export interface Outcome {
  readonly orderId: Uint8Array
  /** The final status. It is `expired` only for a payment. */
  readonly to: 'delivered' | 'refunded' | 'expired'
  /** The epoch whose key sealed the order when it was read. If the order was resealed meanwhile, nothing is written. */
  readonly epoch: number
  /** Undefined for a payment that has expired, because nothing was paid. */
  readonly sealedOutcome: Uint8Array | undefined
  /** The order's live attempt, and whether this attempt has landed. */
  readonly attempt: { readonly number: number; readonly hasLanded: boolean } | undefined
  /** The end of a balance, if the order opened one; undefined for any other order. */
  readonly balance?: BalanceEnd | undefined
  /** True for a payment that landed. Such payments are counted, because each of them appended a leaf. */
  readonly isLandedPayment?: boolean | undefined
  /** The balance from which a payment was made. The balance stays open with the rest of its money. */
  readonly paidFrom?: PaidFrom | undefined
  /**
   * The settlement as the chain shows it. Undefined if nothing was settled. Also undefined for a refund and for the
   * return of a balance's rest: the chain shows that this money goes to the sender, so it hides no delivery.
   */
  readonly shown?: ShownSettlement | undefined
}

export interface BalanceEnd {
  /** The order's plan as it was read. If the stored plan has changed meanwhile, the balance stays open. */
  readonly plan: Uint8Array
  readonly mint: Address
  /** The maximum that the balance's owner may still have in the pool, in base units; undefined for a refund. */
  readonly left: Amount | undefined
  /** True if the balance's newest note is spent. In this case the tree contains a settlement of this order. */
  readonly isSettled?: boolean | undefined
}
