import { CliError } from '../cli-error.ts'
import { explainFailure, explainLanding } from '../explain-failure.ts'

const IF_MADE =
  'If the repeated command ends with PAID_BEFORE, most likely this payment was made: do not name its transaction ' +
  'with --again before you have checked it'

/**
 * The error for a command with `--again` that has signed a payment, no matter how the command ended. The user may
 * repeat the same command, because it knows the notes with which it has tried to pay. If one of these notes is spent,
 * the repeated command pays nothing and ends with PAID_BEFORE. The user has already answered one PAID_BEFORE with
 * `--again`. If the user answers the new one in the same way, without a check, the command may pay twice.
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
