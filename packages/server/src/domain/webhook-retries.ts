const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Pauses between the polls of a change, in milliseconds: 71 h 37 min in all. Every change is polled that
 * often, even one without an endpoint: its polls can be seen in copies of the database. The first pause is
 * longer than a poll takes (`POLL_MS`), so that no two polls of a change overlap.
 */
export const PAUSES_MS: readonly number[] = [
  30 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR,
  22 * HOUR,
] // prettier-ignore

/** Polls of a change, and so the most attempts at each endpoint. */
export const POLLS = PAUSES_MS.length + 1

/** Longer than any pause with its jitter: a later due time was written by a clock that had jumped. */
export const PAUSE_MAX_MS = 25 * HOUR

/** By how much the first byte of a change's name, 0 to 255, lengthens its pauses: by less than a tenth. */
export const JITTER_DIVISOR = 2_560

/**
 * Milliseconds until the next poll after this many; undefined if there is none. The jitter of a change is the first
 * byte of its name, 0 to 255, which is random because the name is an HMAC: changes that were written together aren't
 * polled together again, and the jitter doesn't link those of one order.
 */
export function pauseAfter(polls: number, firstByte: number): number | undefined {
  const pauseMs = PAUSES_MS[polls - 1]
  return pauseMs && Math.floor(pauseMs * (1 + firstByte / JITTER_DIVISOR))
}
