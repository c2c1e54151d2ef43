const WHOLE = /^(0|-?[1-9][0-9]*)$/

/**
 * Reads a whole number from decimal digits: a slot, a time, a count or a port. Never use this function for an amount,
 * because amounts are bigints.
 *
 * @throws RangeError if the text isn't a whole number in JSON's form, or if a double can't represent the number
 *   exactly.
 */
export function parseWhole(text: string): number {
  const number = WHOLE.test(text) ? (JSON.parse(text) as number) : NaN
  if (!Number.isSafeInteger(number)) throw new RangeError('not a whole number that a double holds')
  return number
}
