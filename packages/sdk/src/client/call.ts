import type { Host } from '../host/host.ts'
import { attempt, type Fetch } from './attempt.ts'
import { withRetries } from './retry.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
}

/** A client's settings, with all defaults filled in. */
export interface ClientSettings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly attempts: number
  readonly retryBudgetMs: number
  readonly host: Host
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** False for an operation that must not be repeated, because it has no idempotency key. The default is true. */
  readonly isRetried?: boolean
}

/** Calls one operation of the service. @throws SottoApiError, SottoTransportError. */
export type Call = <Response>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  sent: Sent,
  signal: AbortSignal | undefined,
) => Promise<Response>

export function caller(settings: ClientSettings): Call {
  const { baseUrl, apiKey, timeoutMs, attempts, retryBudgetMs: budgetMs, host, fetch } = settings
  return <Response>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { body: sent, headers: more, isRetried = true }: Sent,
    signal: AbortSignal | undefined,
  ) => {
    // Serialise the body once, so that every retry sends the same bytes.
    const body = sent === undefined ? undefined : JSON.stringify(sent)
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    }
    const request = { method, url: baseUrl + path, baseUrl, headers, body }
    const policy = { attempts: isRetried ? attempts : 1, budgetMs }
    return withRetries(policy, host, signal, () =>
      attempt(fetch, request, timeoutMs, signal),
    ) as Promise<Response>
  }
}
