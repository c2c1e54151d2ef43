/** The key under which `close` makes its payment. */
export const CLOSING = 'close'
/**
 * Prefix of the stored key of a single payment. Because of the prefix, the key never equals the key of a list's line.
 */
export const ONE = 'one:'

/** The key that the caller chose for a single payment; undefined for every other payment. */
export const keyIn = (stored: string): string | undefined =>
  stored.startsWith(ONE) ? stored.slice(ONE.length) : undefined
