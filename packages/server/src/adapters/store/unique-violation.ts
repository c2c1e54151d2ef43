const UNIQUE_VIOLATION = '23505'

/** The name of the unique index because of which a statement failed; undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
}
