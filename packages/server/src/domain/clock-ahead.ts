/** The clocks of two hosts differ by less than this many milliseconds. */
export const CLOCK_AHEAD_MS = 60_000
