import { isAddress, parseAmount, type Address, type Amount, parseWhole } from '@sotto/protocol'
import { InvalidArgumentError } from 'commander'

/** Parsers of options. Commander shows their errors together with the option's name. */

export function parseAddressOption(text: string): Address {
  if (!isAddress(text)) throw new InvalidArgumentError('Not a base58 address.')
  return text
}

export function collectAddresses(text: string, before: Address[] = []): Address[] {
  return [...before, parseAddressOption(text)]
}

export function parseAmountOption(text: string): Amount {
  const value = parseAmount(text)
  if (value === undefined) {
    throw new InvalidArgumentError('Give base units: digits only, at most 18446744073709551615.')
  }
  return value
}

export function parseSecondsOption(text: string): number {
  return wholeUpTo(text, 4_294_967_295)
}

export function parseBpsOption(text: string): number {
  return wholeUpTo(text, 10_000)
}

export function parseSlotOption(text: string): 0 | 1 {
  if (text === '0') return 0
  if (text === '1') return 1
  throw new InvalidArgumentError('There are two slots, 0 and 1.')
}

export function parseSwitchOption(text: string): boolean {
  if (text === 'on') return true
  if (text === 'off') return false
  throw new InvalidArgumentError('Give on or off.')
}

export function parseTariffOption(text: string): 'fixed' | 'automatic' {
  if (text === 'fixed' || text === 'automatic') return text
  throw new InvalidArgumentError('Give fixed or automatic.')
}

function wholeUpTo(text: string, most: number): number {
  const value = /^(0|[1-9][0-9]{0,9})$/.test(text) ? parseWhole(text) : NaN
  if (value <= most) return value
  throw new InvalidArgumentError(`Give a whole number from 0 to ${most}.`)
}

export function parseCountOption(text: string): number {
  return wholeUpTo(text, 1_000_000)
}
