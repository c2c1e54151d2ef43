/** A command ended before its transfer. `cause` is the reason. The state is kept, so the transfer can be resumed. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError'
  /** The transfer's name for `--resume`. */
  readonly transfer: string

  constructor(transfer: string, cause: unknown) {
    super(`the transfer ${transfer} is unfinished`, { cause })
    this.transfer = transfer
  }
}
