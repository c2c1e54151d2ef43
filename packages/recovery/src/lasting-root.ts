import { PROGRAM_ERRORS } from '@sotto/protocol'
import type { LocateOptions } from './locate-note.ts'

/** The program's errors for a proof whose root was overwritten, and for an index at which no root is stored. */
const ROOT_GONE: readonly number[] = PROGRAM_ERRORS.filter(
  ({ name }) => name === 'ProofInvalid' || name === 'RootUnknown',
).map(({ code }) => code)

/**
 * The kind of root for each attempt. The second attempt proves against the last root of an hour, which the chain
 * keeps for weeks.
 */
const ATTEMPTS: readonly LocateOptions['against'][] = ['newest', 'checkpoint', 'newest']

/**
 * Retries an attempt if its root was overwritten. The program overwrites a root when 1,024 more leaves have been
 * appended. If the caller passes a position, there is only one attempt, because a position is valid for only one root.
 */
export async function againstLastingRoot<Request extends LocateOptions, Result>(
  request: Request,
  attempt: (request: Request) => Promise<Result>,
): Promise<Result> {
  if (request.position !== undefined) return attempt(request)
  let failure: unknown
  for (const against of ATTEMPTS) {
    try {
      return await attempt({ ...request, against })
    } catch (error) {
      if (!isRootGone(error)) throw error
      failure = error
    }
  }
  throw failure as Error
}

/** True if an error or one of its causes has an error number from `ROOT_GONE`. */
function isRootGone(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { context } = at as { readonly context?: { readonly code?: number } }
    if (ROOT_GONE.includes(context?.code ?? 0)) return true
  }
  return false
}
