/** The payment in the service's response isn't the requested payment. Nothing was signed. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError'
  /** The faults, each as an English sentence. */
  readonly reasons: readonly string[]

  constructor(reasons: readonly string[]) {
    super(`do not sign: ${reasons.join('; ')}`)
    this.reasons = reasons
  }
}

/**
 * The reasons why an operation on a balance fails. New codes may be added, but existing codes never change, because
 * callers branch on them.
 */
export type BalanceErrorCode =
  /** The store contains no balance. */
  | 'NO_BALANCE'
  /** The store already contains a balance. */
  | 'BALANCE_EXISTS'
  /** No deposit of the balance has landed. */
  | 'NOT_OPENED'
  | 'BALANCE_EMPTY'
  /** The balance has expired, so its rest can only return to the wallet, or was already returned. */
  | 'BALANCE_ENDED'
  /** The key already belongs to a different payment. */
  | 'KEY_REUSED'
  /** `approve` did not return true for the quote. Nothing was signed. */
  | 'QUOTE_DECLINED'
  /** The payment expired unpaid several times: each signature or quote became invalid before the payment landed. */
  | 'PAYMENT_EXPIRED'
  /** Another holder of the secret has spent the note. This payment was not made, and can't be made any more. */
  | 'SPENT_ELSEWHERE'
  /**
   * The chain shows a payment that may be the requested one, and the store has no record of it. Another copy of the
   * store may have made it, so the balance didn't pay now.
   */
  | 'PAYMENT_UNCERTAIN'
  /**
   * The service refuses the signature of a payment, or doesn't know the payment, for example because its database was
   * restored. Until the time in `until`, the payment may still land, and no other payment can be made.
   */
  | 'PAYMENT_MAY_LAND'
  /**
   * An earlier run began the list with more balances than this call names. The missing balances may have paid some of
   * its lines, so this call paid nothing.
   */
  | 'BALANCE_MISSING'
  /** No single balance has enough left for a line of the list. Add a balance, or split the line. */
  | 'BALANCES_TOO_SMALL'

/** The balance can't do now what was requested. `code` is stable, so callers can branch on it. */
export class BalanceError extends Error {
  override readonly name = 'BalanceError'
  readonly code: BalanceErrorCode
  /** With PAYMENT_MAY_LAND: the last second at which the payment may land, as an ISO time of the chain's clock. */
  readonly until: string | undefined

  constructor(code: BalanceErrorCode, message: string, until?: string) {
    super(message)
    this.code = code
    this.until = until
  }
}
