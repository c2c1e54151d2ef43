/**
 * Branded quantities. In code, money is a bigint in base units. In JSON, it is a string of digits. No code uses
 * floating point numbers for money.
 */
declare const unit: unique symbol
type Branded<T, Name extends string> = T & { readonly [unit]: Name }

/** A quantity of an asset in base units, within u64. */
export type Amount = Branded<bigint, 'Amount'>
/** Seconds since 1970, by the chain's clock unless a name says otherwise. */
export type UnixSeconds = Branded<bigint, 'UnixSeconds'>
/** A number of slots since genesis. */
export type Slot = Branded<bigint, 'Slot'>

/** The largest amount: the maximum of a u64. */
export const U64_MAX = 18_446_744_073_709_551_615n as Amount
const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,19})$/

/** Brands a bigint as base units. @throws RangeError outside u64. */
export function amount(value: bigint): Amount {
  if (value < 0n || value > U64_MAX) throw new RangeError('an amount must lie within u64')
  return value as Amount
}

/** An amount of zero. */
export const NOTHING: Amount = amount(0n)

/** The sum of amounts. @throws RangeError if it exceeds u64. */
export function sumOf(amounts: Iterable<Amount>): Amount {
  let sum = 0n
  for (const one of amounts) sum += one
  return amount(sum)
}

/** `whole` minus `part`. @throws RangeError if `part` is greater. */
export const without = (whole: Amount, part: Amount): Amount => amount(whole - part)

/** The smaller of two quantities of the same unit. */
export const least = <Quantity extends bigint>(left: Quantity, right: Quantity): Quantity =>
  left < right ? left : right

/** Reads an amount of the HTTP interface, a string of digits; undefined for any other text or a number outside u64. */
export function parseAmount(text: string): Amount | undefined {
  if (!AMOUNT_PATTERN.test(text)) return undefined
  const value = BigInt(text)
  return value <= U64_MAX ? (value as Amount) : undefined
}

/** Brands seconds of the chain's clock. @throws RangeError if negative. */
export function unixSeconds(value: bigint): UnixSeconds {
  if (value < 0n) throw new RangeError('a time of the chain must not be negative')
  return value as UnixSeconds
}

/** Brands a slot number. @throws RangeError if negative. */
export function slot(value: bigint): Slot {
  if (value < 0n) throw new RangeError('a slot must not be negative')
  return value as Slot
}
