/** The service's answer isn't the requested payment. Nothing was signed. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError'
  /** The faults, each as a sentence for people. */
  readonly reasons: readonly string[]

  constructor(reasons: readonly string[]) {
    super(`do not sign: ${reasons.join('; ')}`)
    this.reasons = reasons
  }
}

/** The reasons why a request to a balance fails. Append-only, because callers branch on these codes. */
export type BalanceErrorCode =
  /** The store holds no balance. */
  | 'NO_BALANCE'
  /** The store holds a balance already. */
  | 'BALANCE_EXISTS'
  /** The balance has no deposit. The message says whether the deposit can still be made, or a new balance is needed. */
  | 'NOT_OPENED'
  /** Nothing is left. */
  | 'BALANCE_EMPTY'
  /** The rest was returned to the wallet, or can only be returned to it. */
  | 'BALANCE_ENDED'
  /** The same key was used for a different payment. */
  | 'KEY_REUSED'
  /** `approve` did not accept the quote. Nothing was ordered. */
  | 'QUOTE_DECLINED'
  /** The payment ended unpaid several times: each time, its end passed before it landed. */
  | 'PAYMENT_EXPIRED'
  /** Another holder of the secret has spent the note. This payment was not made and can't be made any more. */
  | 'SPENT_ELSEWHERE'
  /** A list was begun with further balances, which may have paid some of its lines. Nothing was paid now. */
  | 'BALANCE_MISSING'
  /** No single balance has room for a line of the list: add a balance, or split the line. */
  | 'BALANCES_TOO_SMALL'

/** A balance can't do this now; `code` is stable. */
export class BalanceError extends Error {
  override readonly name = 'BalanceError'
  readonly code: BalanceErrorCode

  constructor(code: BalanceErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
