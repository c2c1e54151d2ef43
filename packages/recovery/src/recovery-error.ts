/** Why a note can't be settled. Append-only: callers branch on these. */
export type RecoveryErrorCode =
  | 'ALREADY_SETTLED'
  | 'TOO_EARLY'
  | 'TOO_LATE'
  | 'NEVER_DEPOSITED'
  /** The deposit commits to other terms than the ticket. */
  | 'TICKET_DIFFERS'
  /** The endpoint doesn't show the transactions that the tree is made from. */
  | 'HISTORY_MISSING'
  /** The path leads to a root that the chain no longer keeps. */
  | 'PATH_OUTDATED'
  /** Program, pool or mint are not on the endpoint's cluster. */
  | 'WRONG_CLUSTER'

/** A note can't be settled this way now; `code` is stable. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
  readonly code: RecoveryErrorCode

  constructor(code: RecoveryErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
