/** The kinds of record in a log. A new kind gets the next number, and no number is ever reused. */
export const GENESIS = 1
export const PROGRAM = 2
export const BATCH = 3
export const RESERVATION = 4
