import type { ErrorCode } from '@sotto/contract'

/** What an answer may contain beside its code; never an address, and amounts only as bounds. */
export interface ErrorContext {
  readonly param?: string
  readonly min?: string
  readonly max?: string
  readonly issues?: readonly { readonly param: string; readonly message: string }[]
  readonly retryAfterSeconds?: number
  readonly allow?: string
  readonly cause?: unknown
}

/** An answer other than success, by its code in the registry. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly context: ErrorContext

  constructor(code: ErrorCode, context: ErrorContext = {}) {
    super(code, context.cause === undefined ? {} : { cause: context.cause })
    this.code = code
    this.context = context
  }
}

/** The error for a member that breaks a rule that the schema can't express. */
export function invalid(param: string, message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', { param, issues: [{ param, message }] })
}
