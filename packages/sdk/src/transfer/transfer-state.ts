import type { Order, OrderStatusRecord, Quote, QuoteRequest } from '@sotto/contract'

/**
 * How far a transfer has come. Plain JSON, saved before each step, so that whoever reads it goes on:
 *
 *   asked -> quoted -> ordered -> signing -> submitting -> deposited -> done
 *   submitting -> refreshing -> signing          the blockhash died; the same order, so one can land
 *   quoted -> asked                              the quote ended, and nothing was signed
 *   refreshing -> unwinding -> done              the order ended; done only once nothing can land
 *   unwinding -> deposited                       it had landed after all
 *
 * From `signing` on a signature may exist, and no second order is ever made. It holds the recovery
 * ticket and both addresses: keep it as a secret.
 */
export type TransferState =
  Asked | Quoted | Ordered | Signing | Submitting | Refreshing | Unwinding | Deposited | Done

export interface TransferRequest extends QuoteRequest {
  /** The partner's own name for the order. */
  readonly reference?: string
  /**
   * Base units of the destination as digits: the least that the recipient must get, by a price of your own
   * and not by a quote. Required for a swap.
   */
  readonly minOut?: string
}

interface Base {
  readonly request: TransferRequest
}
interface WithOrder extends Base {
  readonly quote: Quote
  /** The newest answer; tracking id and ticket are those of the first. */
  readonly order: Order
}
/** Once something may be signed: the second of the chain after which none of it can land (I5). */
interface MaybeSigned extends WithOrder {
  readonly deadAfter: string
}

export interface Asked extends Base {
  readonly step: 'asked'
}
export interface Quoted extends Base {
  readonly step: 'quoted'
  readonly quote: Quote
}
export interface Ordered extends WithOrder {
  readonly step: 'ordered'
}
export interface Signing extends MaybeSigned {
  readonly step: 'signing'
}
export interface Submitting extends MaybeSigned {
  readonly step: 'submitting'
  readonly signature: string
  /** The signed transaction in base64; null where the wallet sends it itself. */
  readonly wire: string | null
}
export interface Refreshing extends MaybeSigned {
  readonly step: 'refreshing'
}
export interface Unwinding extends MaybeSigned {
  readonly step: 'unwinding'
  readonly code: string
}
export interface Deposited extends WithOrder {
  readonly step: 'deposited'
  readonly signature: string | null
}
export interface Done extends Base {
  readonly step: 'done'
  readonly result: TransferResult
}

export type TransferResult =
  | {
      readonly outcome: 'delivered' | 'refunded' | 'expired'
      readonly trackingId: string
      readonly status: OrderStatusRecord
    }
  /** The deposit is on the chain; only where no more was asked for. */
  | { readonly outcome: 'paid'; readonly trackingId: string }
  /** Nothing was paid and nothing can be any more; `code` says why. A new transfer is safe. */
  | { readonly outcome: 'not_paid'; readonly trackingId: string; readonly code: string }

/** Where a transfer begins. */
export const askedFor = (request: TransferRequest): TransferState => ({ step: 'asked', request })
