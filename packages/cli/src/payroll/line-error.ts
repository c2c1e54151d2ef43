/** Thrown if a line couldn't be paid; `cause` is the reason. Receipts have been written for all lines paid before. */
export class LineError extends Error {
  override readonly name = 'LineError'
  /** The line's number in the file. */
  readonly line: number

  constructor(line: number, cause: unknown) {
    super(`line ${line} was not paid`, { cause })
    this.line = line
  }
}
