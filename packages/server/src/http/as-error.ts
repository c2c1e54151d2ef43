/**
 * Converts a thrown value to an Error. If a thrown value weren't an Error, the framework would send it as the
 * response body.
 */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error('a value that is not an error was thrown', { cause: thrown })
