import { parseAmount, type Amount } from '@sotto/protocol'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

/**
 * Base units of an amount in whole coins, exactly: what the asset can't hold is refused, never rounded.
 * @throws CliError that says which form is taken.
 */
export function toBaseUnits(text: string, decimals: number, symbol: string): Amount {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) {
    throw wrong(`"${text}" is no amount`, 'give digits with at most one point, such as 1.25')
  }
  if (fraction.length > decimals) {
    throw wrong(
      `${symbol} has ${decimals} decimals, and "${text}" has ${fraction.length}`,
      'give an amount that the asset can hold',
    )
  }
  // Digits only, so that no floating point number ever stands in between.
  const digits = (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=[0-9])/, '')
  const amount = parseAmount(digits)
  if (amount === undefined)
    throw wrong(`"${text}" ${symbol} is more than any account can hold`, 'give less')
  return amount
}

/** Base units as whole coins, with no digit lost and none added. */
export function toDecimal(baseUnits: bigint | string, decimals: number): string {
  const digits = `${baseUnits}`.padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

const wrong = (message: string, next: string): CliError =>
  new CliError(EXIT.usage, 'AMOUNT_INVALID', message, next)
