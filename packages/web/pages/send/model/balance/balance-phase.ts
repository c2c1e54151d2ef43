import type {
  BalanceState,
  PaidPayment,
  ShownBalance,
  ShownPayment,
  UnrecordedPayment,
} from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import type { Problem } from '../problems.ts'

/** A payment that the person wants to make. */
export interface NewPayment {
  readonly to: string
  /** Base units, as a string of digits. */
  readonly amount: string
  readonly mode: 'exact_in' | 'exact_out'
}

/** A payment with its key. The balance makes at most one payment for each key. */
export interface WantedPayment extends NewPayment {
  /** Undefined for the payment that returns the rest, and for a line of a list. */
  readonly key: string | undefined
  readonly isClosing: boolean
}

/** The steps of a payment. `handed`: the service has the signature, and the page polls the chain for the payment. */
export type PayStep = 'preparing' | 'signing' | 'handed'

/** The current phase of a balance, which decides the view. */
export type BalancePhase =
  | { readonly kind: 'opening'; readonly pending: ShownPayment | undefined }
  /** Another tab is using the balance. */
  | { readonly kind: 'elsewhere' }
  | {
      readonly kind: 'ready'
      readonly state: BalanceState
      /** The time at which `state` was read, in milliseconds of the browser's clock. */
      readonly readMs: number
      readonly stored: ShownBalance
    }
  | {
      readonly kind: 'waiting'
      readonly payment: NewPayment
      readonly shown: QuoteResponse
      readonly atMs: number
    }
  /** The price differs from the price that the person has seen. */
  | { readonly kind: 'repriced'; readonly quoted: QuoteResponse; readonly payment: WantedPayment }
  /** The chain shows a payment that may be this one, and this browser has no record of it. */
  | {
      readonly kind: 'uncertain'
      readonly payment: WantedPayment
      readonly made: UnrecordedPayment
    }
  | { readonly kind: 'paying'; readonly payment: WantedPayment; readonly step: PayStep }
  | { readonly kind: 'paid'; readonly payment: WantedPayment; readonly paid: PaidPayment }
  /** The payment was interrupted, and is made only if the person confirms it. */
  | { readonly kind: 'unpaid'; readonly payment: WantedPayment }
  | { readonly kind: 'problem'; readonly problem: Problem }
