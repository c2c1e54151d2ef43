import { asErrorBody, SottoApiError, SottoTransportError } from './errors.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** One request. Its body and its idempotency key are the same in every attempt. */
export interface PreparedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * Sends a request once.
 * @throws SottoApiError if the service refused the request; SottoTransportError if there was no response, or if the
 *   response didn't come from the service; the caller's abort reason if the caller aborted.
 */
export async function attempt(
  fetch: Fetch,
  request: PreparedRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const { method, url, headers, body } = request
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      // Following a redirect would send the request to an address that isn't configured.
      redirect: 'error',
    })
    text = await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    throw new SottoTransportError(
      timeout.aborted ? 'the service did not answer in time' : 'the service was not reached',
      { cause },
    )
  }
  return readAnswer(request, response, text)
}

/** The body of a successful response. @throws SottoApiError or SottoTransportError for any other response. */
export function readAnswer(
  { baseUrl }: PreparedRequest,
  response: Response,
  text: string,
): unknown {
  const body = parse(text)
  if (response.ok && isSuccess(body)) return body
  const error = asErrorBody(body)
  const { status } = response
  const retryAfterSeconds = seconds(response.headers.get('retry-after'))
  if (error === undefined) {
    throw new SottoTransportError('the answer does not come from the service', {
      status,
      retryAfterSeconds,
    })
  }
  throw new SottoApiError(status, error, docsUrl(baseUrl, error.docs), retryAfterSeconds)
}

/** The URL of a page of the service; empty if the service's path leads to another host. */
function docsUrl(baseUrl: string, path: string): string {
  try {
    const { href, origin } = new URL(baseUrl + path)
    return origin === new URL(baseUrl).origin ? href : ''
  } catch {
    return ''
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSuccess = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { success?: unknown }).success === true

function seconds(header: string | null): number | undefined {
  // Accept any number of digits. Otherwise a very long wait would count as unreadable, and so as no wait.
  return header !== null && /^[0-9]+$/.test(header) ? Number(header) : undefined
}
