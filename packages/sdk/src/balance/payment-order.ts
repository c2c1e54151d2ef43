import type { Quote } from '@sotto/contract'

/** What a payment takes from the balance, as the service states it and the owner signs it. */
export interface PaymentTerms {
  readonly leafIndex: number
  readonly payee: string
  /** Base units as digits, as the two below. */
  readonly payout: string
  readonly fee: string
  readonly change: string
  /** ISO time after which the payment can't land any more. */
  readonly validUntil: string
}

/** A payment to order: its quote, and the request that it was made for. */
export interface PaymentOrderTerms {
  readonly quote: Quote
  readonly senderAddress: string
  readonly recipientAddress: string
  /** The balance's ticket without its secret. */
  readonly balance: string
}

export interface PaymentOrder {
  readonly trackingId: string
  readonly payment: PaymentTerms
}

/** What the owner hands over: numbers as 64 hex digits. */
export interface SignedPayment {
  readonly changeNk: string
  readonly signature: { readonly S: string; readonly R8x: string; readonly R8y: string }
}
