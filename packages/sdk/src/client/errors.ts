import type { ErrorBody, ErrorCode, Retry } from '@sotto/contract'

/** The service refused a request. `code` is stable, so callers can branch on it. */
export class SottoApiError extends Error {
  override readonly name = 'SottoApiError'
  readonly code: ErrorCode
  readonly status: number
  /**
   * `unchanged`: send the same request again later. `new_quote`: request a new quote. `never`: don't send the request
   * again.
   */
  readonly retry: Retry
  /** Identifies this response in the service's log. Include it when you report a problem to the operator. */
  readonly requestId: string
  /** The member of the request that is invalid; undefined if the error isn't about one member. */
  readonly param: string | undefined
  /** The smallest and the largest allowed `amount`, in base units. */
  readonly min: string | undefined
  readonly max: string | undefined
  readonly issues: ErrorBody['issues']
  /** URL of the service's page that explains the cause and the next step; empty if the service names none. */
  readonly docs: string
  /** Seconds that the service asks the client to wait; undefined if the service names no time. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ErrorBody, docs: string, retryAfterSeconds?: number) {
    super(`${body.code}: ${body.message} (${body.requestId}${docs === '' ? '' : `; ${docs}`})`)
    this.code = body.code
    this.status = status
    this.retry = body.retry
    this.requestId = body.requestId
    this.param = body.param
    this.min = body.min
    this.max = body.max
    this.issues = body.issues
    this.docs = docs
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * The client got no usable response from the service: the network failed, the time limit passed, or another server
 * responded, such as a proxy. The service may nevertheless have carried out the request. You may safely send the same
 * request again, except for the five methods that `SottoWebhooks` sends only once.
 */
export class SottoTransportError extends Error {
  override readonly name = 'SottoTransportError'
  /** The HTTP status of the unusable response; undefined if there was no response. */
  readonly status: number | undefined
  /** Seconds that this response asks the client to wait; undefined if the response names no time. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    options: { status?: number; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Reads an error body of the service; undefined for any other value. */
export function asErrorBody(value: unknown): ErrorBody | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { success, code, message, requestId, retry, docs } = value as Partial<
    Record<keyof ErrorBody, unknown>
  >
  const texts = [code, message, requestId, retry, docs]
  if (success !== false || !texts.every((text) => typeof text === 'string')) return undefined
  return value as ErrorBody
}
