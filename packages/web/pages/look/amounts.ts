import { readDecimal, showDecimal, type Amount } from '@sotto/protocol'

/** An amount in base units, or the reason why the text isn't an amount. */
export type ParsedAmount =
  | { readonly kind: 'amount'; readonly base: Amount }
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong'; readonly why: string }

/** Converts an amount that a person typed to base units. Refuses an ambiguous amount. */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  const read = readDecimal(text, decimals)
  switch (read.kind) {
    case 'empty':
      return read
    case 'amount':
      if (read.amount === 0n) return wrong('The amount must be more than zero.')
      return { kind: 'amount', base: read.amount }
    case 'ambiguous': {
      const [whole, fraction] = read.readings
      return wrong(`This can mean ${whole} or ${fraction}. Write the number that you mean.`)
    }
    case 'too_precise':
      return wrong(`This asset has at most ${decimals} digits after the point.`)
    case 'too_large':
      return wrong('This is more than any wallet can hold.')
    case 'malformed':
      return wrong('Write the amount as a number, like 1.25 or 1500.')
  }
}

const wrong = (why: string): ParsedAmount => ({ kind: 'wrong', why })

/** Formats an amount for a person: no trailing zeros, and a narrow space between thousands. */
export function showAmount(base: bigint | string, decimals: number): string {
  const [whole = '', fraction] = showDecimal(base, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** The beginning and the end of an address. They are enough for a person to recognise it. */
export const shortAddress = (address: string): string =>
  `${address.slice(0, 4)}…${address.slice(-4)}`
