import type { Quote } from '@sotto/contract'

/** A payment to order: the quote, and the request that the quote was made for. */
export interface PaymentOrderTerms {
  readonly quote: Quote
  readonly senderAddress: string
  readonly recipientAddress: string
  /** The balance's ticket, without its secret. */
  readonly balance: string
}
