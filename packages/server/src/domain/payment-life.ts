/** From the order of a payment, the owner has at least this many seconds to sign it, and for it to land. */
export const PAYMENT_SECONDS_MIN = 600n

/**
 * Maximum number of seconds from the order of a payment to its end. The end is the next grid time after
 * `PAYMENT_SECONDS_MIN`.
 */
export const PAYMENT_SECONDS_MAX = 1_200n
