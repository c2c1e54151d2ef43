import type { Amount } from '@sotto/protocol'
import type { PaidPayment } from '@sotto/sdk/balance'

/** The current cost of a payment in base units, and amounts that others also send. */
export interface Cost {
  /** The sum that leaves the balance: the amount and all fees. */
  readonly total: Amount
  readonly fee: Amount
  /** Amounts that others also send. */
  readonly suggestions: readonly SuggestedAmount[]
}

/** An amount of the fixed series that the payment could deliver instead. */
export interface SuggestedAmount {
  /** Base units that the recipient receives. */
  readonly amount: Amount
  /** The number of wallets that could have made such a payment, including the payer's. The service counts them. */
  readonly crowd: number
}

/** A record of payments, and how often it was written. */
export interface History {
  readonly id: string
  readonly revision: number
}

/** The members of a balance that the rules for limits and confirmations need. */
export interface Purse {
  readonly quote: (to: string, amount: Amount) => Promise<Cost>
  /**
   * Makes one payment for this key, even if it is called repeatedly. @param most maximum base units that may leave
   * the balance. If the payment would cost more, it isn't made.
   */
  readonly pay: (key: string, to: string, amount: Amount, most: Amount) => Promise<PaidPayment>
  /**
   * The step of the payment with this key; undefined if no such payment is stored. Only a `signed` payment can land
   * without another call of `pay`.
   */
  readonly step: (key: string) => Promise<'quoted' | 'signed' | 'paid' | undefined>
  /**
   * Identifies the stored record of payments. A restored balance, or an older copy of the store, may lack payments that
   * were made: see `StoredBalance`.
   */
  readonly history: () => Promise<History | undefined>
}
