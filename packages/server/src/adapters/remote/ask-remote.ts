import { readWithin } from './read-within.ts'
import { RemoteError } from './remote-error.ts'

export interface RemoteRequest {
  /** The remote service's name, for error messages. */
  readonly service: string
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Time limit for the whole answer, including its body. */
  readonly timeoutMs: number
  /** Maximum number of bytes of the answer's body. The default is one mebibyte. */
  readonly bytesMax?: number
}

export interface RemoteAnswer {
  readonly status: number
  readonly text: string
  /** The header `Retry-After`, if the answer has it. */
  readonly retryAfter?: string | undefined
}

/** Default of `bytesMax`. It is larger than any expected answer. */
export const BYTES_MAX = 1_048_576

/**
 * `fetch` refuses a URL with a user and a password. They are sent in a header instead, as `node:http` sends them for
 * other requests.
 */
function withoutCredentials(given: string, headers: Readonly<Record<string, string>>) {
  const url = new URL(given)
  const { username, password } = url
  const sent = new Headers(headers)
  if (username === '' && password === '') return { url, headers: sent }
  url.username = ''
  url.password = ''
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  if (!sent.has('authorization')) {
    sent.set('authorization', `Basic ${Buffer.from(user).toString('base64')}`)
  }
  return { url, headers: sent }
}

/** Sends one request. @throws RemoteError if no complete answer arrives in time; an answer may have any status. */
export async function askRemote(request: RemoteRequest): Promise<RemoteAnswer> {
  const { service, method = 'GET', body, timeoutMs, bytesMax = BYTES_MAX } = request
  try {
    const { url, headers } = withoutCredentials(request.url, request.headers ?? {})
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // A redirect to another host must not receive a key in a header.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readWithin(service, response.body ?? [], bytesMax)
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return { status: response.status, text, retryAfter }
  } catch (error) {
    throw error instanceof RemoteError ? error : new RemoteError(service, reasonOf(error))
  }
}

/**
 * Returns the kind of a failure: `timeout`, or the system's error code for a broken connection. The error's message may
 * contain host names, so it isn't used.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout'
  const { cause } = error
  const code = (of: unknown) =>
    of instanceof Error && 'code' in of && typeof of.code === 'string' ? of.code : undefined
  return code(error) ?? code(cause) ?? 'connection'
}
