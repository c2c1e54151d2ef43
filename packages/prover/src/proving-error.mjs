/** A failure that the answer reports by its code. The message never contains a value of the input. */
export class ProvingError extends Error {
  /** @param {string} code @param {string} message @param {unknown} [cause] */
  constructor(code, message, cause) {
    super(message, { cause })
    this.code = code
  }
}
