/** The key of the payment that `close` makes. */
export const CLOSING = 'close'
/** The prefix of a single payment's stored key. With it, the key never equals the key of a list's line. */
export const ONE = 'one:'

/** The caller's key of a single payment; undefined for every other payment. */
export const keyIn = (stored: string): string | undefined =>
  stored.startsWith(ONE) ? stored.slice(ONE.length) : undefined
