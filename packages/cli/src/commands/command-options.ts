import { parseAmount, parseWhole, type Amount } from '@sotto/protocol'
import { InvalidArgumentError } from 'commander'

/** Parsers of option values. If they throw, commander shows the error with the option's name. */

const wholeWithin =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^(0|[1-9][0-9]{0,9})$/.test(text) ? parseWhole(text) : NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  }

export const parseSeconds = wholeWithin(0, 86_400)
export const parseInterval = wholeWithin(1, 3_600)
/** The lifetime of a balance in days: one to thirty. */
export const parseDays = wholeWithin(1, 30)
/** The number of wallets in a crowd. */
export const parseCrowd = wholeWithin(2, 32)
export const parseBps = wholeWithin(0, 10_000)
export const parseCount = wholeWithin(1, 100_000)

const amountIn =
  (unit: string) =>
  (text: string): Amount => {
    const value = parseAmount(text)
    if (value === undefined) throw new InvalidArgumentError(`Give ${unit}: digits only.`)
    return value
  }

export const parseLamports = amountIn('lamports')
export const parseBaseUnits = amountIn('base units')
