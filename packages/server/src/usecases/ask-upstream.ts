import type { MaybePromise } from '../ports/maybe-promise.ts'
import { isImmediate } from '../running/is-immediate.ts'
import { ServiceError } from './service-error.ts'

const RETRY_AFTER_SECONDS = 2

/** Runs work that depends on a chain node or a screener; a failure becomes a temporary upstream error. */
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
 * The same for several answers, which were asked for together. On a busy service all are known already: then no
 * promise is made for them, which would cost more than what is done with them.
 */
export function askAllUpstream<T, R>(
  answers: readonly MaybePromise<T>[],
  use: (answers: readonly T[]) => R,
): MaybePromise<R> {
  if (answers.every(isImmediate)) return use(answers)
  return askUpstream(() => Promise.all(answers)).then(use)
}
