/** `approve` did not accept the quote. Nothing was ordered. */
export class QuoteDeclinedError extends Error {
  override readonly name = 'QuoteDeclinedError'
}

/** Base units that the sender's wallet lacks; 0 if it holds enough. */
export interface MissingFunds {
  /** Lamports. If the transfer pays with SOL, this is the whole shortage. */
  readonly native: bigint
  /** Of the source asset. */
  readonly source: bigint
}

/** The wallet can't pay. It wasn't asked to sign; the transfer may be resumed once it can. */
export class InsufficientFundsError extends Error {
  override readonly name = 'InsufficientFundsError'
  readonly missing: MissingFunds

  constructor(message: string, missing: MissingFunds) {
    super(message)
    this.missing = missing
  }
}

/** The node refuses the signed transaction; the transfer may be resumed once the cause is gone. */
export class SubmissionError extends Error {
  override readonly name = 'SubmissionError'
  /** Name of the program's error, such as `DeadlinePassed`, if the program refused the transaction. */
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

/** Service and chain contradict each other. Nothing more will be signed; ask the operator. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError'
}

/**
 * The service reports how the order ended, but the own node doesn't show it. Keep state and ticket, and
 * resume later or with another node: the transfer is not final.
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
