/** A command ended before its transfer did; `cause` is the reason. The transfer's state stays, so it can be resumed. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError'
  /** The transfer's name for `--resume`. */
  readonly transfer: string

  constructor(transfer: string, cause: unknown) {
    super(`the transfer ${transfer} is unfinished`, { cause })
    this.transfer = transfer
  }
}
