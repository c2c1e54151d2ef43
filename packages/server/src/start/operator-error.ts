/** Thrown if a command or the start of the service fails. The message says what the operator can do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
