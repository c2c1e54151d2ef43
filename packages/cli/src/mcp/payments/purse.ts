import type { Amount } from '@sotto/protocol'
import type { PaidPayment } from '@sotto/sdk/balance'

/** What a payment costs now, in base units, and amounts that others send too. */
export interface Cost {
  /** The sum that leaves the balance: the amount and every fee. */
  readonly total: Amount
  readonly fee: Amount
  /** Amounts that others send too. */
  readonly suggestions: readonly SuggestedAmount[]
}

/** An amount of the fixed series that a payment may deliver instead. */
export interface SuggestedAmount {
  /** Base units that the recipient gets. */
  readonly amount: Amount
  /** The number of wallets that could have made such a payment, as the service counts them, including the payer's. */
  readonly crowd: number
}

/** A balance, in the form that the rules of limits and confirmations need. */
export interface Purse {
  readonly quote: (to: string, amount: Amount) => Promise<Cost>
  /**
   * Makes the payment of this key once, even if it is called repeatedly. @param most If more base units would leave the
   * balance, the payment isn't made.
   */
  readonly pay: (key: string, to: string, amount: Amount, most: Amount) => Promise<PaidPayment>
  /**
   * The state of a key's payment; undefined if the payment isn't stored. Only a `signed` payment can land without
   * another call of `pay`.
   */
  readonly step: (key: string) => Promise<'quoted' | 'signed' | 'paid' | undefined>
}
