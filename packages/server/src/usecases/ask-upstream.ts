import type { MaybePromise } from '../ports/maybe-promise.ts'
import { isImmediate } from '../running/is-immediate.ts'
import { ServiceError } from './service-error.ts'

const RETRY_AFTER_SECONDS = 2

/** Runs work that depends on a chain node or a screener. If the work fails, throws a temporary upstream error. */
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
 * Waits for several answers at once and passes them to `use`. If an answer fails, throws a temporary upstream error. On
 * a busy service all answers are usually cached. In that case no promise is created, because creating a promise would
 * take longer than `use`.
 */
export function askAllUpstream<const Answers extends readonly unknown[], R>(
  answers: { readonly [Place in keyof Answers]: MaybePromise<Answers[Place]> },
  use: (answers: Answers) => R,
): MaybePromise<R> {
  if (answers.every(isImmediate)) return use(answers as unknown as Answers)
  return askUpstream(() => Promise.all(answers) as Promise<unknown> as Promise<Answers>).then(use)
}
