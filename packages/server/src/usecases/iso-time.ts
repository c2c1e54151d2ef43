/** `YYYY-MM-DDTHH:mm:ss.sssZ` of milliseconds since 1970. */
export const isoOfMs = (ms: number): string => new Date(ms).toISOString()

const MS_PER_SECOND = 1_000n

/** The same of the chain's seconds; whole seconds below 2^53 milliseconds. */
export const isoOfSeconds = (seconds: bigint): string =>
  new Date(wholeNumber(seconds * MS_PER_SECOND)).toISOString()

/**
 * A slot, a height or a time as a JSON number. Never an amount.
 *
 * @throws RangeError where a number can't hold it.
 */
export function wholeNumber(value: bigint): number {
  const number = JSON.parse(value.toString()) as number
  if (!Number.isSafeInteger(number)) throw new RangeError('too great for a JSON number')
  return number
}
