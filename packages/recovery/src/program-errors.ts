import { PROGRAM_ERRORS } from '@sotto/protocol'

/** The numbers of the program's errors with these names. */
export const programErrors = (...names: readonly string[]): readonly number[] =>
  PROGRAM_ERRORS.filter(({ name }) => names.includes(name)).map(({ code }) => code)

/** True if an error or one of its causes has one of these error numbers of the program. */
export function hasProgramError(error: unknown, codes: readonly number[]): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { context } = at as { readonly context?: { readonly code?: number } }
    if (codes.includes(context?.code ?? 0)) return true
  }
  return false
}
