/**
 * Length of an epoch in milliseconds: one hour. An epoch's key is destroyed some time after all orders of the epoch are
 * final.
 */
export const EPOCH_MS = 3_600_000

/** The epoch of a time of the wall clock: the number of whole hours since 1970. */
export const epochAt = (nowMs: number): number => Math.floor(nowMs / EPOCH_MS)

/**
 * The first hour of 2026. No quote of this format was signed before that hour. A destroyed key leaves no trace, so the
 * key that a quote names may be missing because it was destroyed or because it never existed. If its epoch is before
 * this constant or in the future, the key never existed.
 */
export const FIRST_EPOCH = 490_896
