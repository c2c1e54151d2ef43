/**
 * A slot, a height, an index or a time as a JSON number. Never an amount.
 *
 * @throws RangeError where a number can't hold it.
 */
export function wholeNumber(value: bigint): number {
  const number = JSON.parse(value.toString()) as number
  if (!Number.isSafeInteger(number)) throw new RangeError('too great for a JSON number')
  return number
}
