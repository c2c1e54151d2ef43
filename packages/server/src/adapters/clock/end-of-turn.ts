/** Runs work once the event loop has processed every event of its last poll. */
export const atEndOfTurn = (work: () => void): void => void setImmediate(work)
