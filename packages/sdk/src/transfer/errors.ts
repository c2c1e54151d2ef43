/** The person or rule that was asked did not accept the quote. Nothing was ordered. */
export class QuoteDeclinedError extends Error {
  override readonly name = 'QuoteDeclinedError'
}

/** Base units that the sender's wallet lacks; 0 for what it has enough of. */
export interface MissingFunds {
  /** Lamports. If SOL is what is paid, all of the shortage is here. */
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
  /** The name of the program's error, such as `DeadlinePassed`, if it was the program that refused. */
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

/** Service and chain contradict each other. Nothing more is signed; ask the operator. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError'
}

/**
 * The service says how the order ended, and the own node doesn't show it. Keep state and ticket, and
 * resume later or with another node: the transfer is not final.
 */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError'
  /** The status that the service claims. */
  readonly claimed: string

  constructor(claimed: string, missing: string) {
    super(
      `the service calls the order ${claimed}, which your node does not prove: ${missing}. ` +
        'Keep state and ticket, and resume later or with a node that keeps more history',
    )
    this.claimed = claimed
  }
}
