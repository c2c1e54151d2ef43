import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import type { Signature } from '@solana/kit'

/** An event while a settlement is sent, to report as progress. */
export interface LandingStep {
  /**
   * `signed`: the settlement is signed, and will be sent next. It may land even if the call fails afterwards.
   * `sent_again`: the same bytes were sent again. `dead`: it is proven that this transaction can't land any more. Its
   * proof may still land in another transaction until `until`.
   */
  readonly kind: 'signed' | 'sent_again' | 'dead'
  readonly signature: Signature
  /** The address of the note's Nullifier account. It exists once any settlement of the note has landed. */
  readonly nullifier: Address
  /** The last second of the chain's clock at which the settlement's proof may land. */
  readonly until: UnixSeconds
  /** The priority fee that this settlement offers, in lamports. */
  readonly priorityFeeLamports: Amount
  /** Number of the settlement among the call's settlements, counted from 1. */
  readonly attempt: number
}

/** How a call waits for a settlement, and to whom it reports. */
export interface Landing {
  readonly onStep?: ((step: LandingStep) => void) | undefined
  /**
   * Ends the call. Before a settlement is signed, the call then rejects with the signal's reason. After the signing,
   * the call rejects with LandingError SETTLEMENT_UNKNOWN, because the settlement may land.
   */
  readonly signal?: AbortSignal | undefined
  /** Waits for this many milliseconds, or until the signal aborts. The default is the host's timer. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** Milliseconds of a clock that is never set back. The default is the host's monotonic clock. */
  readonly nowMs?: (() => number) | undefined
}
