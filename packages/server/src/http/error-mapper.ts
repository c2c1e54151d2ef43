import { errorDocs, ERRORS, type ErrorBody, type ErrorCode } from '@sotto/contract'
import { ServiceError } from '../usecases/service-error.ts'

/** What the framework itself refuses, by its own codes. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_REQUEST',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_REQUEST',
}

/** Any error as the registry knows it; whatever isn't in it is our own bug. */
export function serviceErrorOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new ServiceError(FRAMEWORK_CODES[code] ?? 'INTERNAL', { cause: error })
}

/** The one flat shape of every error. */
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

/** Headers that belong to an error. */
export function errorHeaders({ code, context }: ServiceError): Record<string, string> {
  const seconds = context.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS
  return {
    ...(ERRORS[code].retry === 'unchanged' ? { 'retry-after': `${seconds}` } : {}),
    ...(context.allow === undefined ? {} : { allow: context.allow }),
    ...(code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}),
  }
}
