import type { Address, UnixSeconds } from '@sotto/protocol'

/**
 * The reasons why a note can't be settled. New codes may be added, but existing codes never change, because callers
 * branch on them.
 */
export type RecoveryErrorCode =
  | 'ALREADY_SETTLED'
  | 'TOO_EARLY'
  | 'TOO_LATE'
  | 'NEVER_DEPOSITED'
  /** The chain has no deposit of this order, but the signed deposit can still land. */
  | 'NOT_DEPOSITED_YET'
  /** The deposit commits to terms that differ from the ticket's. */
  | 'TICKET_DIFFERS'
  /**
   * The endpoint lacks transactions or the note's leaf, or its transactions and the published leaves don't lead to the
   * chain's root.
   */
  | 'HISTORY_MISSING'
  /** The path leads to a root that the chain doesn't keep, or its position is outside the tree. */
  | 'PATH_OUTDATED'
  /** The program, the pool or the mint doesn't exist on the endpoint's cluster. */
  | 'WRONG_CLUSTER'
  /** The ticket belongs to another program than the one that the caller named. */
  | 'PROGRAM_OTHER'
  /** The code of the ticket's program isn't among the accepted programs, so the payer must not sign for it. */
  | 'PROGRAM_UNKNOWN'
  /**
   * The ticket is of the wrong kind: `pay` needs a balance's ticket with the owner's secret, and `deliver` needs a
   * transfer's ticket.
   */
  | 'OTHER_KIND'
  /** The balance contains less than the payment, or the payment is 0. */
  | 'BALANCE_TOO_SMALL'
  /**
   * The balance has already made the same payment since the given ticket's note. Or a note is spent with which this
   * call, or an earlier call that `tried` names, has tried to pay.
   */
  | 'PAID_BEFORE'
  /** No refund can land any more, so the note can't be settled any more. */
  | 'WINDOW_OVER'
  /**
   * The endpoint shows a payment from the balance, but the payment's change note differs from the one that is computed
   * from the ticket.
   */
  | 'CHANGE_DIFFERS'
  /** The endpoint's chain time is more than an hour from this machine's time. */
  | 'CLOCK_DIFFERS'
  /** The payee is a token account, a mint or a program's account, so no one could use the money. */
  | 'PAYEE_UNUSABLE'

/** The earlier settlement: its kind, payee and time, and its transaction if the endpoint still has it. */
export interface PaidBefore {
  /** `paid` means a payment from a balance. */
  readonly kind: 'delivered' | 'refunded' | 'paid'
  /** Undefined for a payment from a balance if the endpoint no longer has its transaction. */
  readonly payee: Address | undefined
  /** Seconds since 1970 by the chain's clock. */
  readonly atSeconds: UnixSeconds
  readonly signature: string | undefined
}

/** The note can't be settled in this way now. `code` is stable, so callers can branch on it. */
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
