import type { MaybePromise } from '../ports/maybe-promise.ts'
import { isImmediate } from '../running/is-immediate.ts'
import { ServiceError } from './service-error.ts'

const RETRY_AFTER_SECONDS = 2

/** Runs work that depends on a chain node or a screener. A failure becomes a temporary upstream error. */
export async function askUpstream<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', {
      cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

/**
 * Does the same for several values at once. On a busy service all values are known already. No promise is created then,
 * because a promise would cost more than the work with the values.
 */
export function askAllUpstream<T, R>(
  answers: readonly MaybePromise<T>[],
  use: (answers: readonly T[]) => R,
): MaybePromise<R> {
  if (answers.every(isImmediate)) return use(answers)
  return askUpstream(() => Promise.all(answers)).then(use)
}
