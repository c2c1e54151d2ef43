import type { BalanceState, PaidPayment, ShownBalance, ShownPayment } from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import type { Problem } from '../problems.ts'

/** A payment that the person wants to make. */
export interface NewPayment {
  readonly to: string
  /** Base units as digits. */
  readonly amount: string
  readonly mode: 'exact_in' | 'exact_out'
}

/** A payment with its key. Under one key a payment is made at most once. */
export interface WantedPayment extends NewPayment {
  /** Undefined for the return of the rest, and for a line of a list. */
  readonly key: string | undefined
  readonly isClosing: boolean
}

/** `handed`: the service has the signature, and the page looks for the payment on the chain. */
export type PayStep = 'preparing' | 'signing' | 'handed'

/** A balance's phase, for the views. */
export type BalancePhase =
  | { readonly kind: 'opening'; readonly pending: ShownPayment | undefined }
  /** Another tab uses the balance. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'ready'; readonly state: BalanceState; readonly stored: ShownBalance }
  | {
      readonly kind: 'waiting'
      readonly payment: NewPayment
      readonly shown: QuoteResponse
      readonly atMs: number
    }
  /** The price differs from the one that the person has seen. */
  | { readonly kind: 'repriced'; readonly quoted: QuoteResponse; readonly payment: WantedPayment }
  | { readonly kind: 'paying'; readonly payment: WantedPayment; readonly step: PayStep }
  | { readonly kind: 'paid'; readonly payment: WantedPayment; readonly paid: PaidPayment }
  /** The payment was interrupted, and will be made only if the person wants it. */
  | { readonly kind: 'unpaid'; readonly payment: WantedPayment }
  | { readonly kind: 'problem'; readonly problem: Problem }
