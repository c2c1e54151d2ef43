/** The kinds of record in a log. New kinds are appended, and a number is never reused. */
export const GENESIS = 1
export const PROGRAM = 2
export const BATCH = 3
export const RESERVATION = 4
