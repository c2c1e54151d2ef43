const UNIQUE_VIOLATION = '23505'

/** Returns the name of the unique index that made a statement fail; undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
}
