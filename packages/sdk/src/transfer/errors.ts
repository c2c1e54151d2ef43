/** `approve` did not return true for the quote, or the quote pays out less than `minOut`. Nothing was signed. */
export class QuoteDeclinedError extends Error {
  override readonly name = 'QuoteDeclinedError'
}

/** The base units that the sender's wallet lacks. A member is 0 if the wallet has enough. */
export interface MissingFunds {
  /** The missing lamports. If the transfer pays with SOL, this member contains the whole missing amount. */
  readonly native: bigint
  /** The missing base units of the source asset; 0 if the source asset is SOL. */
  readonly source: bigint
}

/**
 * The wallet doesn't hold enough to pay, so it wasn't asked to sign. You may resume the transfer when the wallet holds
 * enough.
 */
export class InsufficientFundsError extends Error {
  override readonly name = 'InsufficientFundsError'
  readonly missing: MissingFunds

  constructor(message: string, missing: MissingFunds) {
    super(message)
    this.missing = missing
  }
}

/** The node refused the signed transaction. You may resume the transfer after you have removed the cause. */
export class SubmissionError extends Error {
  override readonly name = 'SubmissionError'
  /**
   * Name of the program's error, such as `DeadlinePassed`; undefined if something other than the program refused the
   * transaction.
   */
  readonly programError: string | undefined
  readonly nextStep: string

  constructor(
    reason: string,
    nextStep: string,
    options: { readonly programError?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(`the node refuses the signed transaction: ${reason}; ${nextStep}`, options)
    this.programError = options.programError
    this.nextStep = nextStep
  }
}

/**
 * The service and the chain contradict each other. The transfer signs nothing more. Contact the service's operator.
 * Balances also throw this error if the node doesn't show whether or how a note was spent.
 */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError'
}

/**
 * The service reports how the order ended, but the caller's own node doesn't show that end. The transfer is not
 * final. Keep the state and the ticket, and resume the transfer later or with another node.
 */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError'
  /** The status that the service reports. */
  readonly claimed: string

  constructor(claimed: string, missing: string) {
    super(
      `the service reports the order as ${claimed}, but your node does not prove it: ${missing}. ` +
        'Keep state and ticket, and resume later or with a node that keeps more history',
    )
    this.claimed = claimed
  }
}
