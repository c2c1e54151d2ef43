/** What was thrown, as the framework takes it: it would answer with anything else as if it were a body. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error('something else than an error was thrown', { cause: thrown })
