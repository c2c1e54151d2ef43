import type { Address } from '@sotto/protocol'

/** Why a note can't be settled. Append-only: callers branch on these codes. */
export type RecoveryErrorCode =
  | 'ALREADY_SETTLED'
  | 'TOO_EARLY'
  | 'TOO_LATE'
  | 'NEVER_DEPOSITED'
  /** The deposit commits to other terms than the ticket. */
  | 'TICKET_DIFFERS'
  /** The endpoint doesn't have the transactions from which the tree is rebuilt. */
  | 'HISTORY_MISSING'
  /** The path leads to a root that the chain no longer keeps. */
  | 'PATH_OUTDATED'
  /** Program, pool or mint are not on the endpoint's cluster. */
  | 'WRONG_CLUSTER'

/** Who was already paid, when, and by which transaction, if the endpoint still has it. */
export interface PaidBefore {
  readonly kind: 'delivered' | 'refunded'
  readonly payee: Address
  /** Seconds since 1970 by the chain's clock. */
  readonly atSeconds: bigint
  readonly signature: string | undefined
}

/** A note can't be settled this way now; `code` is stable. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
  readonly code: RecoveryErrorCode
  /** Set with ALREADY_SETTLED. */
  readonly paid: PaidBefore | undefined

  constructor(code: RecoveryErrorCode, message: string, paid?: PaidBefore) {
    super(message)
    this.code = code
    this.paid = paid
  }
}
