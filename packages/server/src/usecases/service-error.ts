import type { ErrorCode } from '@sotto/contract'

/**
 * Details that an error may contain in addition to its code. They never contain an address. They contain amounts only
 * as bounds.
 */
export interface ErrorContext {
  readonly param?: string
  readonly min?: string
  readonly max?: string
  /** The members that break a rule, or the reasons why the service accepts no requests now. */
  readonly issues?: readonly { readonly param: string; readonly message: string }[]
  readonly retryAfterSeconds?: number
  readonly allow?: string
  readonly cause?: unknown
}

/** An error with a code of the contract's registry. */
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
