/** A line couldn't be paid, for the reason in `cause`. Earlier lines are paid, and their receipts are written. */
export class LineError extends Error {
  override readonly name = 'LineError'
  /** The line's number in the file. */
  readonly line: number

  constructor(line: number, cause: unknown) {
    super(`line ${line} was not paid`, { cause })
    this.line = line
  }
}
