/**
 * Minimum number of seconds from the order of a payment to the expiry of its signature. In this time, the owner must
 * sign the payment, and the payment must land.
 */
export const PAYMENT_SECONDS_MIN = 600n

/**
 * Maximum number of seconds from the order of a payment to the expiry of its signature. The expiry is the first
 * multiple of 600 seconds that is at least `PAYMENT_SECONDS_MIN` after the order.
 */
export const PAYMENT_SECONDS_MAX = 1_200n
