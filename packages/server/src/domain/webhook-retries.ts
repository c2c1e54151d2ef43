const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Pauses between the polls of an event, in milliseconds. Their sum is 71 h 37 min, and up to 78 h 45 min with jitter.
 * In each poll, a worker sends the event to the endpoints that haven't accepted it yet. Copies of the database show the
 * polls, so every event is polled equally often, even if its account has no endpoint. The first pause is longer than a
 * poll takes (`POLL_MS`), so that two polls of an event never overlap.
 */
export const PAUSES_MS: readonly number[] = [
  30 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR,
  22 * HOUR,
] // oxfmt-ignore

/** Number of polls of each event. It is also the maximum number of attempts at each endpoint. */
export const POLLS = PAUSES_MS.length + 1

/**
 * A time in milliseconds that is longer than the longest pause with its jitter. If a poll's due time is further in the
 * future than this, the due time came from a clock that had jumped.
 */
export const PAUSE_MAX_MS = 25 * HOUR

/**
 * Divisor for the first byte of an event's name in the outbox, which is 0 to 255. The quotient is below 0.1. Each pause
 * is lengthened by this share of its length.
 */
export const JITTER_DIVISOR = 2_560

/**
 * Milliseconds until the next poll of an event that has been polled `polls` times. Undefined after the last poll.
 * `firstByte` is the first byte of the event's name in the outbox, and determines the jitter. The name is an HMAC, so
 * the byte looks random. Therefore the later polls of events that were written at the same time are at different times,
 * and the jitter doesn't link the events of one order.
 */
export function pauseAfter(polls: number, firstByte: number): number | undefined {
  const pauseMs = PAUSES_MS[polls - 1]
  return pauseMs && Math.floor(pauseMs * (1 + firstByte / JITTER_DIVISOR))
}
