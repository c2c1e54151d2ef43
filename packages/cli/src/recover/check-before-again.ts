import type { LandingStep } from '@sotto/recovery'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { explainFailure } from '../explain-failure.ts'
import { isoOfSeconds } from '../output/show-time.ts'

/** The members of a signed settlement's step that the user needs for the check. */
export type SignedStep = Pick<LandingStep, 'signature' | 'nullifier' | 'until'>

/**
 * The error for a signed payment with `--again`, however the command ended. The same command would pay once more, so
 * the user must check first whether the payment landed. The node's own verdict isn't enough, because it may be wrong.
 * The signatures aren't enough either, because anyone who has seen the proof can land it in another transaction.
 */
export function checkBeforeAgain(error: unknown, signed: readonly SignedStep[]): CliError {
  const until = signed.map((one) => one.until).reduce((last, one) => (one > last ? one : last))
  const accounts = [...new Set(signed.map(({ nullifier }) => nullifier))].join(', ')
  const signatures = [...new Set(signed.map(({ signature }) => signature))].join(', ')
  const next =
    `before you pay with --again once more, wait until after ${isoOfSeconds(until)}, and then check with another ` +
    `node that this account does not exist: ${accounts}. It exists if the payment was made. Anybody can land the ` +
    `payment in another transaction, so do not check only these transactions: ${signatures}`
  const { code, message, exitCode } = explainFailure(error, false)
  if (error instanceof Error && error.name === 'LandingError') {
    return new CliError(exitCode, code, message, next, { cause: error, isSent: true })
  }
  const unknown = `the payment was signed, and it isn't known whether it landed: ${message}`
  return new CliError(EXIT.unavailable, 'SETTLEMENT_UNKNOWN', unknown, next, {
    ...{ cause: error, isSent: true },
  })
}
