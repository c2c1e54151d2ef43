import { parseAmount, parseWhole, type Amount } from '@sotto/protocol'
import { InvalidArgumentError } from 'commander'

/** Parsers of options; commander shows their errors with the option's name. */

const wholeWithin =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^(0|[1-9][0-9]{0,9})$/.test(text) ? parseWhole(text) : NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  }

export const parseSeconds = wholeWithin(0, 86_400)
export const parseInterval = wholeWithin(1, 3_600)
/** A balance lives from one to thirty days. */
export const parseDays = wholeWithin(1, 30)
/** The number of wallets in a crowd. */
export const parseCrowd = wholeWithin(2, 32)
export const parseBps = wholeWithin(0, 10_000)
export const parseCount = wholeWithin(1, 100_000)

export function parseLamports(text: string): Amount {
  const value = parseAmount(text)
  if (value === undefined) throw new InvalidArgumentError('Give lamports: digits only.')
  return value
}
