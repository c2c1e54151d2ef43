import type { PaymentName } from '@sotto/sdk/balance'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

/** Prefixes of the keys that other commands choose: `sotto payroll pay` for lines, `sotto mcp` for an agent's keys. */
export const LINE_PREFIX = 'payroll '
export const AGENT_PREFIX = 'agent:'

/**
 * Checks a key that the user chose for `sotto balance send`. With another command's key, that command would treat this
 * payment as its own. @throws CliError KEY_INVALID.
 */
export function assertOwnKey(key: string): void {
  const isOther = [LINE_PREFIX, AGENT_PREFIX].some((prefix) => key.startsWith(prefix))
  if (key !== '' && !isOther) return
  const message = isOther
    ? `keys that begin with "${LINE_PREFIX}" or "${AGENT_PREFIX}" belong to other commands`
    : 'the key is empty'
  throw new CliError(EXIT.usage, 'KEY_INVALID', message, 'give another --key, such as invoice-7')
}

/** The key of a payment by `send`; undefined for every other payment. */
export const ownKeyOf = (payment: PaymentName): string | undefined =>
  payment.kind === 'single' ? payment.key : undefined

/** Names a payment for a person. */
export function labelOf(payment: PaymentName): string {
  switch (payment.kind) {
    case 'single':
      return payment.key
    case 'line':
      return `(list ${payment.list}, line ${payment.line + 1})`
    case 'close':
      return '(close)'
  }
}
