import type { ErrorBody, ErrorCode, Retry } from '@sotto/contract'

/** The service refused a request; `code` is stable and safe to branch on. */
export class SottoApiError extends Error {
  override readonly name = 'SottoApiError'
  readonly code: ErrorCode
  readonly status: number
  /** `unchanged`: the same request may be sent again later; `new_quote`: quote again; or neither. */
  readonly retry: Retry
  /** Identifies this response in the service's log; give it to the operator. */
  readonly requestId: string
  /** The invalid member of the request. */
  readonly param: string | undefined
  /** Bounds of `amount`, in base units. */
  readonly min: string | undefined
  readonly max: string | undefined
  readonly issues: ErrorBody['issues']
  /** Page that explains the cause and the next step. */
  readonly docs: string
  /** Seconds that the service asked to wait; undefined if it didn't. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ErrorBody, docs: string, retryAfterSeconds?: number) {
    super(`${body.code}: ${body.message} (${body.requestId}; ${docs})`)
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
 * No response from the service: the network failed, time ran out, or an intermediary answered. The service
 * may or may not have carried out the request; sending the same request again is safe.
 */
export class SottoTransportError extends Error {
  override readonly name = 'SottoTransportError'
  /** The HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Seconds that the response asked to wait; undefined if it didn't. */
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

/** Reads an error body of the service; undefined for anything else. */
export function asErrorBody(value: unknown): ErrorBody | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { success, code, message, requestId, retry, docs } = value as Partial<
    Record<keyof ErrorBody, unknown>
  >
  const texts = [code, message, requestId, retry, docs]
  if (success !== false || !texts.every((text) => typeof text === 'string')) return undefined
  return value as ErrorBody
}
