import type { Host } from '../host/host.ts'
import { SottoApiError, SottoTransportError } from './errors.ts'

export interface RetryPolicy {
  /** Maximum number of attempts. */
  readonly attempts: number
  /** Maximum total waiting time in milliseconds. A retry that would exceed it isn't made. */
  readonly budgetMs: number
}

const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8_000

/**
 * Milliseconds to wait before the same request is sent again; undefined if it must not be repeated. If the service
 * refused the request, the error's own `retry` decides. The exception is IDEMPOTENCY_CONFLICT: it is never retried,
 * because the same terms would always conflict. If there was no response, or a broken gateway responded, the outcome is
 * unknown. The request is then sent again, so never call this for a request that must not be repeated.
 */
export function waitBeforeRetry(error: unknown, attempt: number, host: Host): number | undefined {
  if (!mayRepeat(error)) return undefined
  const backoffMs = Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MAX_MS)
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000
  // The wait is never shorter than the service asked for. The jitter prevents many clients from retrying at the same
  // moment.
  return Math.max(askedMs, backoffMs) + backoffMs * host.fraction()
}

function mayRepeat(error: unknown): error is SottoApiError | SottoTransportError {
  if (error instanceof SottoApiError) {
    return error.retry === 'unchanged' && error.code !== 'IDEMPOTENCY_CONFLICT'
  }
  if (!(error instanceof SottoTransportError)) return false
  // A response with status 200 that was cut off leaves the outcome unknown, like no response at all. A request that an
  // intermediary refused (3xx, 4xx) never reached the service.
  const { status } = error
  return status === undefined || status < 300 || status >= 500
}

/**
 * Runs `work` until it succeeds. Gives up when an error must not be retried, or when the attempts or the waiting
 * budget are used up.
 */
export async function withRetries<Result>(
  policy: RetryPolicy,
  host: Host,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  let waitedMs = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      signal?.throwIfAborted()
      return await work()
    } catch (error) {
      const waitMs = waitBeforeRetry(error, attempt, host)
      const isLast = attempt + 1 >= policy.attempts
      if (waitMs === undefined || isLast || waitedMs + waitMs > policy.budgetMs) throw error
      waitedMs += waitMs
      await host.sleep(waitMs, signal)
    }
  }
}
