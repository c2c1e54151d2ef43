const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Pauses between the polls of a change, in milliseconds; together 71 h 37 min. Every change is polled equally often,
 * even if its account has no endpoint, because copies of the database show the polls. The first pause is longer than a
 * poll takes (`POLL_MS`), so that two polls of a change never overlap.
 */
export const PAUSES_MS: readonly number[] = [
  30 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR,
  22 * HOUR,
] // prettier-ignore

/** Number of polls of each change. An endpoint gets at most as many attempts. */
export const POLLS = PAUSES_MS.length + 1

/**
 * Longer than the longest pause with its jitter. A due time that is further ahead comes from a clock that had jumped.
 */
export const PAUSE_MAX_MS = 25 * HOUR

/**
 * Divisor for the first byte of a change's name, 0 to 255. The quotient, which is below a tenth, is the share by which
 * each pause is lengthened.
 */
export const JITTER_DIVISOR = 2_560

/**
 * Milliseconds until the next poll after this many polls; undefined after the last one. `firstByte` of the change's
 * name, 0 to 255, decides the jitter. The name is an HMAC, so the byte is random: changes that were written together
 * aren't polled together again, and the jitter doesn't link the changes of one order.
 */
export function pauseAfter(polls: number, firstByte: number): number | undefined {
  const pauseMs = PAUSES_MS[polls - 1]
  return pauseMs && Math.floor(pauseMs * (1 + firstByte / JITTER_DIVISOR))
}
