import { readDecimal, type Amount } from '@sotto/protocol'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

export { showDecimal as toDecimal } from '@sotto/protocol'

/**
 * Converts an amount in whole coins to base units, exactly. Refuses an amount with too many decimals instead of
 * rounding it. @throws CliError that describes the accepted format.
 */
export function toBaseUnits(text: string, decimals: number, symbol: string): Amount {
  const read = readDecimal(text, decimals)
  switch (read.kind) {
    case 'amount':
      return read.amount
    case 'ambiguous': {
      const [whole, fraction] = read.readings
      throw wrong(`"${text}" can mean ${whole} or ${fraction}`, `write ${whole} or ${fraction}`)
    }
    case 'too_precise':
      throw wrong(
        `${symbol} has ${decimals} decimals, and "${text}" has ${read.digits}`,
        'give an amount with fewer decimals',
      )
    case 'too_large':
      throw wrong(`"${text}" ${symbol} is more than any account can hold`, 'give less')
    case 'empty':
    case 'malformed':
      throw wrong(`"${text}" is not an amount`, 'give a number with a point, such as 1.25 or 1500')
  }
}

/** Converts the amount of a payment. @throws the CliError of `toBaseUnits`, and a CliError if the amount is 0. */
export function toPaidUnits(text: string, decimals: number, symbol: string): Amount {
  const units = toBaseUnits(text, decimals, symbol)
  if (units > 0n) return units
  throw wrong('the amount is 0', 'give an amount above 0')
}

const wrong = (message: string, next: string): CliError =>
  new CliError(EXIT.usage, 'AMOUNT_INVALID', message, next)
