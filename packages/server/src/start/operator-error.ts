/** A command can't be carried out. The message says what to do instead. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
