/** `approve` did not accept the quote, so nothing was ordered. */
export class QuoteDeclinedError extends Error {
  override readonly name = 'QuoteDeclinedError'
}

/** Base units that the sender's wallet lacks; 0 if it has enough. */
export interface MissingFunds {
  /** The missing lamports. If the transfer pays with SOL, this is the whole shortage. */
  readonly native: bigint
  /** The missing base units of the source asset. */
  readonly source: bigint
}

/** The wallet can't pay. It wasn't asked to sign. The transfer may be resumed once the wallet can pay. */
export class InsufficientFundsError extends Error {
  override readonly name = 'InsufficientFundsError'
  readonly missing: MissingFunds

  constructor(message: string, missing: MissingFunds) {
    super(message)
    this.missing = missing
  }
}

/** The node refuses the signed transaction. The transfer may be resumed once the cause is removed. */
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
 * The service reports how the order ended, but the caller's own node doesn't show it. The transfer is not final: keep
 * state and ticket, and resume later or with another node.
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
