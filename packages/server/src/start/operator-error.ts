/** A command or a start failed. The message says what the operator can do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
