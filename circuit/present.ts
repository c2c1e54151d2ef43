/**
 * Returns a value that the compiler's files always contain.
 *
 * @throws Error if the value is missing.
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A file of the compiler is incomplete.')
  return value
}
