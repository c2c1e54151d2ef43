import { amount, U64_MAX, type Amount } from './units.ts'

/** The amount in a text that a person typed, or the reason why the text isn't an amount. */
export type ReadDecimal =
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'empty' }
  /** The text has two readings: `1,500` means one and a half to some people and fifteen hundred to others. */
  | { readonly kind: 'ambiguous'; readonly readings: readonly [string, string] }
  /** The text has more digits after the decimal mark than the asset allows. */
  | { readonly kind: 'too_precise'; readonly digits: number }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'malformed' }

/** The digits on both sides of the decimal mark, without the marks that group thousands. */
interface Notation {
  readonly whole: string
  readonly fraction: string
}

/** Four kinds of spaces, and both apostrophes. They can only group thousands, never mark decimals. */
const GROUPING_ONLY = /[ \u00a0\u2009\u202f'’]/
const GROUPED = (mark: string) => new RegExp(`^[1-9]\\d{0,2}(?:${mark}\\d{3})+$`)
const PLAIN = /^(?:0|[1-9]\d*)$/
const DIGITS = /^\d*$/

/**
 * Reads an amount in whole coins as base units, exactly: without rounding, guessing or floating point numbers. The
 * decimal mark is the last comma or point if that mark doesn't group thousands. `showDecimal` always writes a point.
 * Commas, points, spaces or apostrophes may group thousands if the text can be read in only one way. `1,500.25`,
 * `1.500,25` and `1,500,000` have one reading, but `1,500` has two and is refused. Decision 39 has the rules.
 */
export function readDecimal(text: string, decimals: number): ReadDecimal {
  const given = text.trim()
  if (given === '') return { kind: 'empty' }
  const comma = /^([1-9]\d*),(\d{3})$/.exec(given)
  if (comma !== null) {
    const [, whole = '', last = ''] = comma
    return { kind: 'ambiguous', readings: [whole + last, `${whole}.${last}`] }
  }
  const notation = readNotation(given)
  if (notation === undefined) return { kind: 'malformed' }
  const { whole, fraction } = notation
  if (fraction.length > decimals) return { kind: 'too_precise', digits: fraction.length }
  const base = BigInt(whole + fraction.padEnd(decimals, '0'))
  return base > U64_MAX ? { kind: 'too_large' } : { kind: 'amount', amount: amount(base) }
}

/** Splits a text at the decimal mark: the last comma or point, if that mark doesn't group thousands. */
function readNotation(given: string): Notation | undefined {
  const marks = given.replace(/\d/g, '')
  const [last] = marks.slice(-1)
  const isGrouping = last !== ',' && last !== '.'
  if (last === undefined || isGrouping || marks.indexOf(last) < marks.length - 1) {
    return parts(given, '')
  }
  const at = given.lastIndexOf(last)
  return parts(given.slice(0, at), given.slice(at + 1))
}

function parts(head: string, fraction: string): Notation | undefined {
  if (!DIGITS.test(fraction)) return undefined
  const [mark] = head.replace(/\d/g, '')
  if (mark === undefined) return PLAIN.test(head) ? { whole: head, fraction } : undefined
  const isMark = GROUPING_ONLY.test(mark) || mark === ',' || mark === '.'
  if (!isMark || !GROUPED(mark === '.' ? '\\.' : mark).test(head)) return undefined
  return { whole: head.replaceAll(mark, ''), fraction }
}

/** Writes base units as whole coins, exactly. `readDecimal` reads the text back. */
export function showDecimal(base: bigint | string, decimals: number): string {
  const digits = `${base}`.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** An amount of one asset, as one side of a swap. */
export interface ExchangedAmount {
  readonly amount: Amount
  readonly decimals: number
  readonly symbol: string
}

/**
 * Number of significant digits of a rate. A rate gets more digits if it would otherwise have fewer than two digits
 * after the point.
 */
const RATE_DIGITS = 6
const RATE_FRACTION_MIN = 2

/**
 * The rate at which `paid` becomes `received`, as people say it: "149.55 USDC per SOL". The rate is shown in the
 * direction in which its number is at least one. The rate is computed from the two amounts alone, so it includes every
 * fee. It is rounded against the payer, so it never promises too much. Undefined for amounts of zero.
 */
export function showRate(paid: ExchangedAmount, received: ExchangedAmount): string | undefined {
  if (paid.amount <= 0n || received.amount <= 0n) return undefined
  const out = received.amount * 10n ** BigInt(paid.decimals)
  const into = paid.amount * 10n ** BigInt(received.decimals)
  const isRising = out >= into
  const [top, bottom] = isRising ? [out, into] : [into, out]
  const wholeDigits = `${top / bottom}`.length
  const places = Math.max(RATE_FRACTION_MIN, RATE_DIGITS - wholeDigits)
  const scaled = top * 10n ** BigInt(places)
  // Both divisions round against the payer: down for the amount received per unit paid, up for the amount paid per unit
  // received.
  const value = isRising ? scaled / bottom : (scaled + bottom - 1n) / bottom
  const [one, other] = isRising ? [received, paid] : [paid, received]
  return `${showDecimal(value, places)} ${one.symbol} per ${other.symbol}`
}
