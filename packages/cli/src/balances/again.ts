import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

/** The values of `--again`, which may be repeated; true if it was given without a value. */
export type Again = readonly string[] | true

/** Collects the values of `--again`. */
export const collectAgain = (value: string, before: Again | undefined): Again =>
  before === true ? true : [...(before ?? []), value]

/** The value for a transaction that the node doesn't show any more. */
const UNKNOWN = 'unknown'

/** Names a transaction in a value of `--again`. */
export const transactionName = (signature: string | null): string => signature ?? UNKNOWN

/** The signature that a value of `--again` names. */
export const signatureNamed = (value: string): string | null => (value === UNKNOWN ? null : value)

/**
 * The values of `--again`. Each value names a payment that a person has checked. So if the same command is repeated
 * later, it doesn't accept a payment that the person has not seen.
 * @throws CliError AGAIN_UNNAMED if `--again` has no value; AGAIN_INVALID if a value has another form.
 */
export function againValues(again: Again | undefined, form: RegExp): readonly string[] {
  if (again === undefined) return []
  const next = 'run the command without --again: if it refuses, its message has the exact values'
  if (again === true) {
    const message = '--again must name each payment that you have checked'
    throw new CliError(EXIT.usage, 'AGAIN_UNNAMED', message, next)
  }
  const wrong = again.find((value) => !form.test(value))
  if (wrong === undefined) return again
  const message = `--again ${wrong} does not name a payment that this command has refused`
  throw new CliError(EXIT.usage, 'AGAIN_INVALID', message, next)
}

const TRANSACTION = new RegExp(`^(?:${UNKNOWN}|[1-9A-HJ-NP-Za-km-z]{64,88})$`)

/** The signatures of the transactions that `--again` names. @throws CliError. */
export const againTransactions = (again: Again | undefined): readonly (string | null)[] =>
  againValues(again, TRANSACTION).map(signatureNamed)

/** The `--again` options for these values, for a message. The user may have to give a value twice: see `takeOut`. */
export const againOptions = (values: readonly string[]): string =>
  values.map((value) => `--again ${value}`).join(' ')
