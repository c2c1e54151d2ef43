import type { Amount } from '@sotto/protocol'
import type { PaidPayment } from '@sotto/sdk/balance'

/** The current cost of a payment in base units, and round amounts near the payment's amount. */
export interface Cost {
  /** The sum that leaves the balance: the amount and all fees. */
  readonly total: Amount
  readonly fee: Amount
  /** The amounts that the service suggests, each with the number of wallets that could have sent it. */
  readonly suggestions: readonly SuggestedAmount[]
  /** True if the pool has paid the recipient before, according to the service. */
  readonly isPaidBefore: boolean
}

/** An amount from a fixed series of round amounts. The payment could deliver this amount instead. */
export interface SuggestedAmount {
  /** Base units that the recipient receives. */
  readonly amount: Amount
  /** The number of wallets that could have made such a payment, including the payer's. The service counts them. */
  readonly crowd: number
}

export interface PaymentOrder {
  /** The agent's own name for the payment. Each key is paid at most once. */
  readonly key: string
  readonly to: string
  /** Base units that the recipient receives. */
  readonly amount: Amount
}

/** An attempt to make a payment. */
export interface Attempt {
  /** A random id. The balance's store keeps it as the payment's mark. */
  readonly id: string
  /** Writes the id to the ledger, and resolves once it is there. */
  readonly begin: () => Promise<void>
}

/** The members of a balance that the rules for limits and confirmations need. */
export interface Purse {
  /** True if the chain shows a payment that may be this one, and the balance's store has no record of it. */
  readonly mayBePaid: (order: PaymentOrder) => Promise<boolean>
  readonly quote: (to: string, amount: Amount) => Promise<Cost>
  /**
   * Makes one payment for this key, even if it is called repeatedly. It marks the payment in the balance's store, then
   * awaits `begin`, and only then signs. So if the ledger has an attempt, the store of that run has the attempt's mark.
   * If the current store lacks this mark, a run with another store may have signed the attempt.
   *
   * @param most maximum base units that may leave the balance. If the payment would cost more, it isn't made.
   */
  readonly pay: (order: PaymentOrder, most: Amount, attempt: Attempt) => Promise<PaidPayment>
  readonly outcome: (key: string, attemptId: string) => Promise<Outcome>
}

/**
 * The outcome of a payment that was begun, according to the balance's store. `unsigned`: the store contains no
 * signature. The payment was never signed, or another payment has spent the same part of the balance. `unknown`: the
 * payment was begun with another store, this store is an older copy, or a signature was dropped because a node showed
 * that the payment couldn't land. An `unknown` payment may have been made, or may still be made.
 */
export type Outcome = 'unsigned' | 'signed' | 'paid' | 'unknown'
