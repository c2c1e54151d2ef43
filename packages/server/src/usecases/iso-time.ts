import { wholeNumber } from '../domain/whole-number.ts'

/** `YYYY-MM-DDTHH:mm:ss.sssZ` of milliseconds since 1970. */
export const isoOfMs = (ms: number): string => new Date(ms).toISOString()

const MS_PER_SECOND = 1_000n

/** The same of the chain's seconds; whole seconds below 2^53 milliseconds. */
export const isoOfSeconds = (seconds: bigint): string =>
  new Date(wholeNumber(seconds * MS_PER_SECOND)).toISOString()
