import type { Host } from '../host/host.ts'
import { SottoApiError, SottoTransportError } from './errors.ts'

export interface RetryPolicy {
  /** Total number of attempts. */
  readonly attempts: number
  /** Longest total waiting time. If a retry would exceed it, there is no retry. */
  readonly budgetMs: number
}

const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8_000

/**
 * Milliseconds to wait before the same request is sent again; undefined if it must not be repeated. Only the error's
 * own `retry` decides, except that IDEMPOTENCY_CONFLICT is never retried, because its terms would always conflict. If
 * there was no answer, or a broken gateway answered, the outcome is unknown, but repeating the request is safe.
 */
export function waitBeforeRetry(error: unknown, attempt: number, host: Host): number | undefined {
  if (!mayRepeat(error)) return undefined
  const backoffMs = Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MAX_MS)
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000
  // The wait is never shorter than the service asked. The jitter spreads many clients' retries over time.
  return Math.max(askedMs, backoffMs) + backoffMs * host.fraction()
}

function mayRepeat(error: unknown): error is SottoApiError | SottoTransportError {
  if (error instanceof SottoApiError) {
    return error.retry === 'unchanged' && error.code !== 'IDEMPOTENCY_CONFLICT'
  }
  if (!(error instanceof SottoTransportError)) return false
  // After a 200 that was cut off, the outcome is as unknown as without a response. If an intermediary refused the
  // request (3xx, 4xx), the service didn't get it.
  const { status } = error
  return status === undefined || status < 300 || status >= 500
}

/** Runs `work` until it succeeds, must not be repeated, or the attempts or the budget are used up. */
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
