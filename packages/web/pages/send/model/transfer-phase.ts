import type { OrderStatusRecord, QuoteResponse, Token } from '@sotto/sdk/server'
import type { AskedCrowd, TransferResult, TransferState, VerifiedOrder } from '@sotto/sdk/wallet'
import type { Problem } from './problems.ts'

/**
 * The current phase of a transfer, which decides the view. `tokens` are the assets whose decimals the chain confirms.
 */
export type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'preparing' }
  /** Another tab is running the transfer. */
  | { readonly kind: 'elsewhere' }
  /** Another tab has finished the transfer. */
  | { readonly kind: 'finished' }
  /** The price moved after the quote was shown, so the person is asked again. */
  | { readonly kind: 'repriced'; readonly quoted: QuoteResponse }
  /** It is certain or possible that the transfer doesn't hide its sender. The person must confirm it twice. */
  | { readonly kind: 'alone'; readonly quoted: QuoteResponse; readonly asked: AskedCrowd }
  | {
      readonly kind: 'check'
      readonly order: VerifiedOrder
      readonly quoted: QuoteResponse
      /** The crowd that the transfer waits for. */
      readonly asked: AskedCrowd
    }
  | {
      readonly kind: 'running'
      readonly step: TransferState['step']
      readonly state: TransferState
      readonly status: OrderStatusRecord | undefined
      readonly tokens: readonly Token[]
    }
  | {
      readonly kind: 'done'
      readonly result: TransferResult
      readonly state: TransferState
      /** The signature of the payment; undefined if this run did not see it. */
      readonly signature: string | undefined
      readonly tokens: readonly Token[]
    }
  | {
      readonly kind: 'problem'
      readonly problem: Problem
      /** The state from which the transfer can continue; undefined if the wallet wasn't asked to sign. */
      readonly state: TransferState | undefined
    }
