/**
 * Length of an epoch in milliseconds. An epoch's key is destroyed some time after every order of that hour is final.
 */
export const EPOCH_MS = 3_600_000

/** The epoch of a time of the wall clock: the number of whole hours since 1970. */
export const epochAt = (nowMs: number): number => Math.floor(nowMs / EPOCH_MS)

/**
 * The first hour of 2026. No quote of this format was signed before that hour. A destroyed key leaves no trace. With
 * this constant, destroyed keys can be distinguished from keys that never existed.
 */
export const FIRST_EPOCH = 490_896
