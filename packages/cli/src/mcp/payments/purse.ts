import type { Amount } from '@sotto/protocol'
import type { PaidPayment } from '@sotto/sdk/balance'

/** What a payment costs now, in base units, and what others pay. */
export interface Cost {
  /** What leaves the balance: the amount and every fee. */
  readonly total: Amount
  readonly fee: Amount
  /** Amounts that others send too. */
  readonly suggestions: readonly SuggestedAmount[]
}

/** An amount of the fixed series that a payment may deliver instead. */
export interface SuggestedAmount {
  /** Base units that the recipient gets. */
  readonly amount: Amount
  /** The wallets that could have made such a payment, as far as the service counts them; the own one is among them. */
  readonly crowd: number
}

/** A balance as the rules of limits and confirmations see it. */
export interface Purse {
  readonly quote: (to: string, amount: Amount) => Promise<Cost>
  /**
   * Makes the payment of this key once, however often it is called.
   * @param most nothing is paid if more base units would leave the balance.
   */
  readonly pay: (key: string, to: string, amount: Amount, most: Amount) => Promise<PaidPayment>
  /**
   * How far the payment of a key is. Only `signed` can still be made without another call of `pay`; undefined if
   * nothing is saved.
   */
  readonly step: (key: string) => Promise<'quoted' | 'signed' | 'paid' | undefined>
}
