import type { Address, UnixSeconds } from '@sotto/protocol'

/** The reasons why a note can't be settled. Append-only, because callers branch on these codes. */
export type RecoveryErrorCode =
  | 'ALREADY_SETTLED'
  | 'TOO_EARLY'
  | 'TOO_LATE'
  | 'NEVER_DEPOSITED'
  /** The deposit commits to terms that differ from the ticket's. */
  | 'TICKET_DIFFERS'
  /** Neither the endpoint's transactions nor published leaves lead to the chain's root. */
  | 'HISTORY_MISSING'
  /** The path leads to a root that the chain no longer keeps. */
  | 'PATH_OUTDATED'
  /** Program, pool or mint are not on the endpoint's cluster. */
  | 'WRONG_CLUSTER'
  /** The ticket is for the other kind of note: `pay` pays out of a balance, and `deliver` delivers a transfer. */
  | 'OTHER_KIND'
  /** The balance holds less than the payment. */
  | 'BALANCE_TOO_SMALL'
  /** The balance has made the same payment already, after the given ticket. */
  | 'PAID_BEFORE'
  /** The refund window has ended, so the note can't be settled any more. */
  | 'WINDOW_OVER'
  /** The endpoint shows a payment out of the balance, but the ticket doesn't open the change that the payment left. */
  | 'CHANGE_DIFFERS'

/** The earlier payment: its amount, its time, and its transaction if the endpoint still has it. */
export interface PaidBefore {
  /** `paid` means a payment out of a balance. */
  readonly kind: 'delivered' | 'refunded' | 'paid'
  /** Undefined for a balance's payment whose transaction the endpoint no longer has. */
  readonly payee: Address | undefined
  /** Seconds since 1970 by the chain's clock. */
  readonly atSeconds: UnixSeconds
  readonly signature: string | undefined
}

/** A note can't be settled in this way now. `code` is stable. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
  readonly code: RecoveryErrorCode
  /** Set with ALREADY_SETTLED and PAID_BEFORE. */
  readonly paid: PaidBefore | undefined

  constructor(code: RecoveryErrorCode, message: string, paid?: PaidBefore) {
    super(message)
    this.code = code
    this.paid = paid
  }
}
