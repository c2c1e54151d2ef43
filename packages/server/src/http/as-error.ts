/**
 * Converts a thrown value to an Error. The framework would send a thrown value that isn't an Error as a response body.
 */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error('a value that is not an error was thrown', { cause: thrown })
