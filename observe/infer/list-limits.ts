/** Two successive payments of a list are at most this many seconds apart. */
export const GAP_SECONDS = 30
/**
 * A sequence of more payments than this isn't treated as a list, because all payments follow each other fast in a busy
 * pool.
 */
export const LENGTH_MAX = 64
