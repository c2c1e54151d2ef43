import type { Host } from '../host/host.ts'
import { SottoApiError, SottoTransportError } from './errors.ts'

export interface RetryPolicy {
  /** Attempts in all. */
  readonly attempts: number
  /** Waiting stops where it would go on for longer than this in all. */
  readonly budgetMs: number
}

const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8_000

/**
 * Milliseconds to wait before the same request is sent again; undefined where it must not be. Only the
 * error's own `retry` decides, and IDEMPOTENCY_CONFLICT never: its terms would conflict for ever. Where
 * nothing answered, or a broken gateway did, the outcome is unknown and the same request is safe.
 */
export function waitBeforeRetry(error: unknown, attempt: number, host: Host): number | undefined {
  if (!mayRepeat(error)) return undefined
  const backoffMs = Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MAX_MS)
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000
  // Never sooner than asked; jitter keeps many clients from coming back at the same moment.
  return Math.max(askedMs, backoffMs) + backoffMs * host.fraction()
}

function mayRepeat(error: unknown): error is SottoApiError | SottoTransportError {
  if (error instanceof SottoApiError) {
    return error.retry === 'unchanged' && error.code !== 'IDEMPOTENCY_CONFLICT'
  }
  if (!(error instanceof SottoTransportError)) return false
  // Half an answer of 200 leaves the outcome open as well; a stranger's refusal doesn't.
  const { status } = error
  return status === undefined || status < 300 || status >= 500
}

/** Runs `work` until it succeeds, must not be repeated, or attempts or budget are used up. */
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
