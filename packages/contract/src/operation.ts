import type { z } from 'zod'
import type { ErrorCode } from './error-registry.ts'

export type Scope = 'read' | 'write'

/**
 * The access that an operation requires: a key with a scope. `public` requires no key, because the answers are public
 * on the chain.
 */
export type Access = Scope | 'public'

/** One operation of the interface, with all facts that the server, the documentation and clients share. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path, with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  /** Additional facts for callers, in Markdown. */
  readonly description?: string
  readonly scope: Access
  readonly body?: z.ZodType
  /** True if the operation creates one order for each `X-Idempotency-Key`. */
  readonly takesKey?: true
  /**
   * Members that belong to the body of another operation, each with an error text. If a request of this operation
   * contains such a member, the response has the member's error text.
   */
  readonly elsewhere?: Readonly<Record<string, string>>
  readonly query?: z.ZodType
  readonly response: z.ZodType
  /** The operation's own error codes, in addition to those that every operation may return. */
  readonly errors: readonly ErrorCode[]
}

/** Declares an operation with its own types. */
export const operation = <const O extends Operation>(of: O): O => of
