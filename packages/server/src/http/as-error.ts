/** A thrown value as an Error: the framework would send anything else as a response body. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error('a value that is not an error was thrown', { cause: thrown })
