import { forgetLater } from '@sotto/protocol'
import type { Clock } from '../ports/clock.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import { SharedAnswers } from './shared-answer.ts'

/**
 * Lifetime of a cached answer. The snapshot of pool and assets that quotes use has the same lifetime. The lifetime is
 * short, so the service soon notices an account that is opened between two quotes. If an answer is requested after half
 * of this time, the cache renews it. So a user who sends a request every few seconds waits only for the first answer.
 */
const KEPT_MS = 10_000
/** Maximum number of cached answers, which together take a few megabytes. */
const ENTRIES_MAX = 10_000
/** Interval at which expired answers are dropped. */
const DROP_MS = 60_000

/**
 * Caches answers about recipients for a few seconds, because users request several quotes in a row. An answer is cached
 * only for the account that asked. Otherwise, a fast answer would reveal to another account that someone pays this
 * wallet. Returns a function that calls `ask` only if the asker has no answer about this subject that is younger than
 * `KEPT_MS`.
 *
 * Expired answers are dropped within a minute. In memory, an expired answer's time and account would show which deposit
 * pays the wallet, even after the order's key is destroyed.
 */
export function answersPerAsker<T>(
  clock: Pick<Clock, 'nowMs'>,
): (asker: string, subject: string, ask: () => Promise<T>) => MaybePromise<T> {
  const answers = new SharedAnswers<T>(clock, ENTRIES_MAX)
  const forget = forgetLater(() => answers.dropOlder(KEPT_MS), DROP_MS)
  return (asker, subject, ask) => {
    forget()
    return answers.of(`${asker} ${subject}`, ask).read(KEPT_MS)
  }
}
