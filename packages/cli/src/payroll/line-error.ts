/**
 * The list stopped at a line; `cause` is the reason, and says whether the line was paid. Receipts have been written for
 * all lines paid before.
 */
export class LineError extends Error {
  override readonly name = 'LineError'
  /** The line's number in the file. */
  readonly line: number

  constructor(line: number, cause: unknown) {
    super(`stopped at line ${line}`, { cause })
    this.line = line
  }
}
