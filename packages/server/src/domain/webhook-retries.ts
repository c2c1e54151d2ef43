const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses after each failed attempt, in milliseconds: 71 h 36 min in all. */
const PAUSES_MS = [
  5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR,
  22 * HOUR,
] as const // prettier-ignore

/** Longer than any pause with its jitter: what is due later than this was written by a jumped clock. */
export const PAUSE_MAX_MS = 25 * HOUR

/** Pauses vary by a tenth, so that what failed together doesn't come again together. */
const JITTER = 10

/**
 * Milliseconds until the next attempt after so many; undefined where there is none. `fraction` lies in
 * [0, 1) and is chance.
 */
export function pauseAfter(attempts: number, fraction: number): number | undefined {
  const pauseMs = PAUSES_MS[attempts - 1]
  return pauseMs && Math.round(pauseMs * (1 + fraction / JITTER))
}
