import type { Quote } from '@sotto/contract'

/** The data from which a payment is ordered: the quote, and the request for which the quote was made. */
export interface PaymentOrderTerms {
  readonly quote: Quote
  readonly senderAddress: string
  readonly recipientAddress: string
  /** The balance's ticket, without its secret. */
  readonly balance: string
}
