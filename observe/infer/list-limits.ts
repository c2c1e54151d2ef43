/** Two successive payments of a list are at most this many seconds apart. */
export const GAP_SECONDS = 30
/** Longer sequences of payments aren't lists. In a busy pool, all payments follow each other quickly. */
export const LENGTH_MAX = 64
