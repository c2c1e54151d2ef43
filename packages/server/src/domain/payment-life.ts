/** Least time, counted from the order, in which the owner can sign a payment and the payment can land. */
export const PAYMENT_SECONDS_MIN = 600n

/** The longest life of a payment: its end is the next time of the grid after the least time. */
export const PAYMENT_SECONDS_MAX = 1_200n
