import type { LocateOptions } from './locate-note.ts'
import { hasProgramError, programErrors } from './program-errors.ts'

/** The program's errors for a proof whose root was overwritten, and for an index at which no root is stored. */
const ROOT_GONE = programErrors('ProofInvalid', 'RootUnknown')

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
      if (!hasProgramError(error, ROOT_GONE)) throw error
      failure = error
    }
  }
  throw failure as Error
}
