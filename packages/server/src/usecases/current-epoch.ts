/** Epoch keys change every hour of the wall clock. */
const EPOCH_MS = 3_600_000

/** The epoch of a moment: whole hours since 1970. */
export const epochAt = (nowMs: number): number => Math.floor(nowMs / EPOCH_MS)
