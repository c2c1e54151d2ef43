/** Works once the event loop has gone through everything that had arrived when it last looked. */
export const atEndOfTurn = (work: () => void): void => void setImmediate(work)
