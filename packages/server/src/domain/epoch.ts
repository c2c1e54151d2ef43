/** One epoch, in milliseconds: its key dies some time after every order of that hour is final. */
export const EPOCH_MS = 3_600_000

/** The epoch of a moment of the wall clock: whole hours since 1970. */
export const epochAt = (nowMs: number): number => Math.floor(nowMs / EPOCH_MS)

/**
 * The first hour of 2026: no quote of this format was ever signed before it. Destroyed keys leave no trace, so only
 * this distinguishes them from keys that never existed.
 */
export const FIRST_EPOCH = 490_896
