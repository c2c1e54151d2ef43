import type { AmountKind, Way } from './plan.ts'

/** Which deposit paid which settlement. Only the score reads this, never the observer. */
export interface TrueLink {
  /** The signature of the settlement. */
  readonly settlement: string
  /** The order id of the deposit, as hex digits. */
  readonly orderId: string
  readonly way: Way
  readonly amountKind: AmountKind | 'rest'
  /** The quote's statement about privacy; undefined if it made none. */
  readonly stated?: Stated | undefined
}

/** The statement of a quote about the privacy of its transfer. */
export interface Stated {
  readonly anonymitySet: number
  /** The chance that an observer links the transfer, if the quote states one. */
  readonly linkProbability?: number | undefined
}

/** A balance that was topped up. */
export interface KeptBalance {
  /** The order id of the top-up, as hex digits. */
  readonly orderId: string
  /** When its rest returned to the depositing wallet by itself; undefined if it didn't. */
  readonly endSeconds?: number | undefined
}

/** The truth about a load. */
export interface Ledger {
  readonly links: readonly TrueLink[]
  /** All balances that were topped up; undefined if nobody kept a list. */
  readonly balances?: readonly KeptBalance[] | undefined
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
