import { errorDocs, ERRORS, type ErrorBody, type ErrorCode } from '@sotto/contract'
import { ServiceError } from '../usecases/service-error.ts'

/** The error codes for refusals by the framework, by the HTTP status that the framework chose. */
const FRAMEWORK_STATUSES: Readonly<Record<number, ErrorCode>> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

/**
 * Returns the code of a refusal by the framework. An internal error of the framework counts as an error of this
 * service.
 */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof Error && 'code' in error && 'statusCode' in error)) return 'INTERNAL'
  const { code, statusCode } = error
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return 'INTERNAL'
  if (!String(code).startsWith('FST_ERR_')) return 'INTERNAL'
  return FRAMEWORK_STATUSES[statusCode] ?? 'INVALID_REQUEST'
}

/**
 * Converts any error to an error of the registry. An error that is neither in the registry nor a refusal by the
 * framework is a bug in this service.
 */
export function serviceErrorOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError(codeOf(error), { cause: error })
}

/** Returns the body of an error. All errors have this flat form. */
export function errorBody({ code, context }: ServiceError, requestId: string): ErrorBody {
  const { retry, message } = ERRORS[code]
  const { param, min, max, issues } = context
  return {
    success: false,
    code,
    message,
    requestId,
    retry,
    ...(param === undefined ? {} : { param }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(issues === undefined ? {} : { issues: issues.map((issue) => ({ ...issue })) }),
    docs: errorDocs(code),
  }
}

const DEFAULT_RETRY_SECONDS = 1

/** Returns the headers that belong to an error. */
export function errorHeaders({ code, context }: ServiceError): Record<string, string> {
  const isUnchanged = ERRORS[code].retry === 'unchanged'
  const seconds = context.retryAfterSeconds ?? (isUnchanged ? DEFAULT_RETRY_SECONDS : undefined)
  return {
    ...(seconds === undefined ? {} : { 'retry-after': `${seconds}` }),
    ...(context.allow === undefined ? {} : { allow: context.allow }),
    ...(code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}),
  }
}
