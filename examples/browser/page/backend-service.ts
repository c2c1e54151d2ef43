import type { TransferService } from '@sotto/sdk/wallet'

/** A refusal that the backend passed on. `transfer` uses its `code` and `retry` to decide what to do. */
export class BackendError extends Error {
  override readonly name = 'BackendError'
  readonly code: string | undefined
  readonly retry: string | undefined

  constructor(status: number, body: { code?: string; retry?: string; message?: string }) {
    super(body.message ?? `the backend answered ${status}`)
    this.code = body.code
    this.retry = body.retry
  }
}

async function post<Result>(path: string, body: unknown, signal?: AbortSignal): Promise<Result> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  const answer = (await response.json()) as object
  if (!response.ok) throw new BackendError(response.status, answer)
  return answer as Result
}

/** The service, called through the partner's own backend, because the page has no API key. */
export const backendService: TransferService = {
  quote: (request, options) => post('/sotto/quote', request, options?.signal),
  createOrder: (terms, options) => post('/sotto/order', terms, options?.signal),
  refresh: (trackingId, options) => post('/sotto/refresh', { trackingId }, options?.signal),
  hintDeposit: (trackingId, signature, options) =>
    post('/sotto/deposit', { trackingId, signature }, options?.signal),
  status: (trackingId, options) => post('/sotto/status', { trackingId }, options?.signal),
}
