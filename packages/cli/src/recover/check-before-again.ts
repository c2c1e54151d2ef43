import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { explainFailure } from '../explain-failure.ts'

/**
 * The error for a signed payment with `--again`, however the command ended. The same command would pay once more, so
 * the user must check first whether the payment landed. The node's own verdict isn't enough, because it may be wrong.
 */
export function checkBeforeAgain(error: unknown, signatures: readonly string[]): CliError {
  const shown = signatures.join(', ')
  const next = `before you pay with --again once more, check with another node that none of these landed: ${shown}`
  const { code, message, exitCode } = explainFailure(error, false)
  if (error instanceof Error && error.name === 'LandingError') {
    return new CliError(exitCode, code, message, next, { cause: error, isSent: true })
  }
  const unknown = `the payment was signed, and it isn't known whether it landed: ${message}`
  return new CliError(EXIT.unavailable, 'SETTLEMENT_UNKNOWN', unknown, next, {
    ...{ cause: error, isSent: true },
  })
}
