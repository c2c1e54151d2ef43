import type { AmountKind, Way } from './plan.ts'

/**
 * A settlement, and the deposit that paid for it. The score uses this data, and so does the simulation of an insider.
 * The observer itself never reads it.
 */
export interface TrueLink {
  /** The signature of the settlement. */
  readonly settlement: string
  /** The order id of the deposit, as hex digits. */
  readonly orderId: string
  /**
   * How the payment was made. `missed` means that the transfer's crowd didn't come and the transfer was delivered
   * without it.
   */
  readonly way: Way | 'missed'
  readonly amountKind: AmountKind | 'rest'
  /** The quote's statement about privacy; undefined if the quote made none. */
  readonly stated?: Stated | undefined
}

/** A quote's statement about the privacy of its transfer. */
export interface Stated {
  readonly anonymitySet: number
  /** The chance that an observer links the transfer; undefined if the quote doesn't state one. */
  readonly linkProbability?: number | undefined
  /** True if the quote said that the pool had paid the recipient before. */
  readonly isPaidBefore?: boolean | undefined
}

/** A balance that was topped up. */
export interface KeptBalance {
  /** The order id of the top-up, as hex digits. */
  readonly orderId: string
  /**
   * The time at which the service returned the rest to the depositing wallet, in seconds since 1970; undefined if the
   * service didn't return the rest.
   */
  readonly endSeconds?: number | undefined
}

/** A transfer that waited for a crowd. */
export interface KeptCrowd {
  /** The order id of the deposit, as hex digits. */
  readonly orderId: string
  /** The number of wallets that the request asked for. */
  readonly min: number
  /** `came`: delivered in its crowd. `delivered`: delivered without a crowd. `refunded`: not delivered. */
  readonly outcome: 'came' | 'delivered' | 'refunded'
}

/** The data that one step of a load adds to the ledger. */
export interface LedgerEntry {
  /** The step's payment; undefined if the step made none. */
  readonly link?: TrueLink | undefined
  /** The crowd that the step's transfer waited for; undefined if the transfer waited for none. */
  readonly crowd?: KeptCrowd | undefined
}

/** The true links of a load, which the score compares with the observer's conclusions. */
export interface Ledger {
  readonly links: readonly TrueLink[]
  /** All balances that were topped up; undefined if the source of the ledger has no list of them. */
  readonly balances?: readonly KeptBalance[] | undefined
  /** The transfers that waited for a crowd. */
  readonly crowds?: readonly KeptCrowd[] | undefined
  /** The refunds, with the order ids of their deposits; undefined if the source of the ledger has no list of them. */
  readonly refunds?: readonly Pick<TrueLink, 'settlement' | 'orderId'>[] | undefined
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
