import { CliError } from '../cli-error.ts'
import { explainFailure, explainLanding } from '../explain-failure.ts'

const IF_MADE =
  'If it ends with PAID_BEFORE, most likely this payment was made: do not name its transaction with --again before ' +
  'you have checked it'

/**
 * The error for a command with `--again` that has signed a payment, however the command ended. The user may repeat the
 * same command: it knows the notes with which it has tried to pay, and pays nothing if one of them is spent, but ends
 * with PAID_BEFORE. The user has already answered one PAID_BEFORE with `--again`. Answering this one in the same way,
 * without a check, could pay twice.
 */
export function checkBeforeAgain(error: unknown): CliError {
  const isLanding = error instanceof Error && error.name === 'LandingError'
  const known = explainFailure(error, false).message
  const { code, message, next, exitCode } = explainLanding(
    isLanding
      ? error
      : new Error(`the payment was signed, and it isn't known whether it landed: ${known}`),
  )
  return new CliError(exitCode, code, message, `${next}. ${IF_MADE}`, {
    cause: error,
    isSent: true,
  })
}
