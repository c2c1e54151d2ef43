import type { Order, OrderStatusRecord, Quote, QuoteRequest, QuoteResponse } from '@sotto/contract'
import { randomId } from '../host/host.ts'

/**
 * How far a transfer has come. Plain JSON, saved before each step, so that whoever reads it goes on:
 *
 *   asked -> quoted -> ordered -> signing -> submitting -> deposited -> done
 *   submitting -> refreshing -> signing          the blockhash died; the same order, so one can land
 *   quoted, ordered -> asked                     quote or order ended, and nothing was signed
 *   refreshing -> unwinding -> done              the order ended; done only once nothing can land
 *   unwinding -> deposited                       it had landed after all
 *
 * From `signing` on a signature may exist, and no second order is ever made. It holds the recovery
 * ticket and both addresses: keep it as a secret. The ticket stays in it until the chain proves the end.
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
  /** Drawn at random when the transfer begins: one order belongs to one transfer. */
  readonly transferId: string
}
interface WithQuote extends Base {
  readonly quote: Quote
  /** What the wallet has to hold, as the service said with the quote. */
  readonly senderMustHold?: QuoteResponse['senderMustHold'] | undefined
}
interface WithOrder extends WithQuote {
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
export interface Quoted extends WithQuote {
  readonly step: 'quoted'
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
  /** The note's position, by the Order account; null if that was never seen. */
  readonly leafIndex: string | null
}
export interface Done {
  readonly step: 'done'
  readonly request: TransferRequest
  readonly result: TransferResult
}

/** The transaction that settled the note, and what it paid by the balances of its accounts. */
export interface ProvenSettlement {
  readonly signature: string
  readonly slot: string
  /** The recipient of a delivery, the sender of a refund. */
  readonly payee: string
  readonly assetId: string
  /** Base units of `assetId`. */
  readonly amount: string
}

export type TransferResult =
  /** Proved at a finalized slot of the own node. */
  | {
      readonly outcome: 'delivered' | 'refunded'
      readonly trackingId: string
      readonly settlement: ProvenSettlement
      /** What the service said last, to be shown and never to decide by; null if it didn't answer. */
      readonly status: OrderStatusRecord | null
    }
  /** By the finalized chain no deposit was made and none can land any more. A new transfer is safe. */
  | {
      readonly outcome: 'expired'
      readonly trackingId: string
      readonly status: OrderStatusRecord | null
    }
  /**
   * Resumed a month after its end: nothing can be settled any more, and the chain has forgotten whether
   * it was. Only a node with full history knows.
   */
  | { readonly outcome: 'closed'; readonly trackingId: string }
  /** The deposit is on the chain; only where no more was asked for. */
  | { readonly outcome: 'paid'; readonly trackingId: string }
  /** Nothing was paid and nothing can be any more; `code` says why. A new transfer is safe. */
  | { readonly outcome: 'not_paid'; readonly trackingId: string; readonly code: string }

/** Where a transfer begins; one for each payment. */
export const askedFor = (request: TransferRequest): TransferState => ({
  step: 'asked',
  transferId: randomId(),
  request,
})
