/** Runs work once the event loop has processed everything that had arrived at its last poll. */
export const atEndOfTurn = (work: () => void): void => void setImmediate(work)
