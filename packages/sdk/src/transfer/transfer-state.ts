import type { Order, OrderStatusRecord, Quote, QuoteRequest, QuoteResponse } from '@sotto/contract'
import { randomId } from '../host/host.ts'

/**
 * A transfer's progress as plain JSON. It is saved before each step, so that another process can resume the transfer:
 *
 *   asked -> quoted -> ordered -> signing -> submitting -> deposited -> done
 *   signing, submitting -> refreshing     the transaction expired
 *   signing, submitting -> done           another deposit has the order's id
 *   refreshing -> signing                 the order has a new transaction; only one of its transactions can land
 *   quoted, ordered -> asked              the quote or order expired, or a resuming caller declined the quote
 *   refreshing -> unwinding -> done       the order ended or its refresh was refused; nothing can land any more
 *   signing, unwinding -> deposited       the deposit landed, or may have landed: its Order account may be closed
 *   deposited -> done                     the order ended, or the tree shows that the deposit never landed
 *
 * From `signing` on, a signature may exist, and the transfer never makes a second order. Keep the state secret: it
 * contains both addresses, and the recovery ticket until the chain proves how the order ended.
 */
export type TransferState =
  | Asked
  | Quoted
  | Ordered
  | Signing
  | Submitting
  | Refreshing
  | Unwinding
  | Deposited
  | Done

export interface TransferRequest extends QuoteRequest {
  /** The partner's own reference for the order. */
  readonly reference?: string
  /**
   * The minimum that the recipient must get: base units of the destination asset, as a string of digits. Compute it
   * from your own price, not from a quote. Required for a swap.
   */
  readonly minOut?: string
  /** The maximum fee of a quote: base units of the source asset, as a string of digits. It applies to every quote. */
  readonly maxFee?: string
}

interface Base {
  readonly request: TransferRequest
  /** A random id, chosen when the transfer begins. Each order belongs to one transfer. */
  readonly transferId: string
}
interface WithQuote extends Base {
  readonly quote: Quote
  /** The amounts that the wallet must hold according to the quote. */
  readonly senderMustHold?: QuoteResponse['senderMustHold'] | undefined
  /** The rest of the answer to the quote request. Older versions of the SDK didn't save it. */
  readonly answer?: Omit<QuoteResponse, 'quote' | 'senderMustHold'> | undefined
}
interface WithOrder extends WithQuote {
  /** The newest response of the service. Its tracking id and ticket equal those of the first response. */
  readonly order: Order
}
/**
 * A state in which a signature may exist. After `deadAfter`, a second of the chain's clock, no signed transaction can
 * land (I5).
 */
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
  /** The signed transaction in base64; null if the wallet sends the transaction itself. */
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
  /** The note's position in the tree, from the Order account; null if that account was never read. */
  readonly leafIndex: string | null
}
export interface Done {
  readonly step: 'done'
  readonly request: TransferRequest
  readonly result: TransferResult
}

/** The transaction that settled the note. `amount` is the amount that it paid to the payee. */
export interface ProvenSettlement {
  readonly signature: string
  readonly slot: string
  /** The recipient if the note was delivered, the sender if it was refunded. */
  readonly payee: string
  readonly assetId: string
  /** Base units of `assetId`. */
  readonly amount: string
}

export type TransferResult =
  /** The caller's node has proved this end at a finalized slot. */
  | {
      readonly outcome: 'delivered' | 'refunded'
      readonly trackingId: string
      readonly settlement: ProvenSettlement
      /** The last status that the service reported, for display only; null if the service didn't answer. */
      readonly status: OrderStatusRecord | null
    }
  /** The finalized chain shows no deposit, and none can land any more. You may safely start a new transfer. */
  | {
      readonly outcome: 'expired'
      readonly trackingId: string
      readonly status: OrderStatusRecord | null
    }
  /**
   * The transfer was resumed two months or more after the order's deadline. The note can't be settled any more, and the
   * chain's accounts no longer show whether it was settled. Only a node with full history can show that.
   */
  | { readonly outcome: 'closed'; readonly trackingId: string }
  /**
   * Only with `until: 'paid'`. The deposit is on the chain if the saved state has a `leafIndex`. If not, its Order
   * account may have been closed, a day after the deadline, before the transfer saw it. Only `findNote` shows whether
   * the deposit landed.
   */
  | { readonly outcome: 'paid'; readonly trackingId: string }
  /** Nothing was paid, and nothing can be paid any more; `code` is the reason. You may safely start a new transfer. */
  | { readonly outcome: 'not_paid'; readonly trackingId: string; readonly code: string }

/** The first state of a transfer. Call this once for each transfer. */
export const askedFor = (request: TransferRequest): TransferState => ({
  step: 'asked',
  transferId: randomId(),
  request,
})
