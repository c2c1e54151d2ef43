/** Exit codes, which let scripts distinguish failures. */
export const EXIT = { failure: 1, usage: 2, config: 3, busy: 4 } as const

// Errors are recognised by name, so that this file needn't import the module of each error.
const KNOWN: Readonly<Record<string, number>> = {
  ConfigError: EXIT.config,
  KeypairFileError: EXIT.config,
  PricesFileError: EXIT.config,
  DenyListError: EXIT.config,
  FolderInUseError: EXIT.busy,
  OperatorError: EXIT.failure,
  MigrationError: EXIT.failure,
  ProverError: EXIT.failure,
  RemoteError: EXIT.failure,
}

/**
 * Returns the lines to print for a failed command, and its exit code. Unexpected errors are printed with their stack.
 */
export function explainFailure(error: unknown): { readonly lines: string; readonly code: number } {
  if (!(error instanceof Error)) return { lines: String(error), code: EXIT.failure }
  const code = KNOWN[error.name]
  if (code !== undefined) return { lines: `sotto-server: ${error.message}`, code }
  const cause = error.cause instanceof Error ? `\ncaused by: ${error.cause.stack}` : ''
  return { lines: `sotto-server: ${error.stack ?? error.message}${cause}`, code: EXIT.failure }
}
