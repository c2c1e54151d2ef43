import type { z } from 'zod'
import type { ErrorCode } from './error-registry.ts'

export type Scope = 'read' | 'write'

/** What an operation needs: a key with a scope, or nothing, because its answers are public on the chain. */
export type Access = Scope | 'public'

/** One operation of the interface: everything that server, documentation and clients share. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  /** What else a caller must know, in Markdown. */
  readonly description?: string
  readonly scope: Access
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  readonly response: z.ZodType
  /** Its own error codes, besides those that every operation may return. */
  readonly errors: readonly ErrorCode[]
}

/** An operation with its own types. */
export const operation = <const O extends Operation>(of: O): O => of
