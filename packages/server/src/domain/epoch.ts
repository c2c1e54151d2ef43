/** One epoch, in milliseconds: its key dies some time after every order of that hour is final. */
export const EPOCH_MS = 3_600_000

/** The epoch of a moment of the wall clock: whole hours since 1970. */
export const epochAt = (nowMs: number): number => Math.floor(nowMs / EPOCH_MS)
