/**
 * `approve` did not return true for the quote, the quote pays out less than `minOut`, or its fee is
 * higher than `maxFee`. Nothing was signed.
 */
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
 * Balances also throw this error if the node contradicts itself, or doesn't show whether or how a note was spent.
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

/**
 * The deposit is on the chain, and more than an hour after `deliverBy` your node shows that it was neither delivered
 * nor refunded. Until `refundableUntil`, the holder of the ticket can get the money back without the service. The
 * transfer is not final: keep the state, and resume it after the refund.
 */
export class OverdueError extends Error {
  override readonly name = 'OverdueError'
  readonly trackingId: string
  /** The last second in which a refund is possible, as an ISO timestamp. */
  readonly refundableUntil: string
  /** False if that second has passed by the chain's clock. */
  readonly canRefund: boolean

  constructor(trackingId: string, deliverBy: string, refundableUntil: string, canRefund: boolean) {
    super(
      `the money is neither delivered nor refunded, though it was due by ${deliverBy}: with the ticket, a refund ` +
        `${canRefund ? 'is' : 'was'} possible until ${refundableUntil}. Keep state and ticket`,
    )
    this.trackingId = trackingId
    this.refundableUntil = refundableUntil
    this.canRefund = canRefund
  }
}
