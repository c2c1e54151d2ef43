/** Runs work as soon as the event loop has processed all events that it received with its last poll. */
export const atEndOfTurn = (work: () => void): void => void setImmediate(work)
