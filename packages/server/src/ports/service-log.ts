import type { EventName, StepName } from '../domain/log-names.ts'

/** One answered request. The record has only ids and codes: no address, amount, key, body or query. */
export interface RequestEntry {
  readonly requestId: string
  readonly method: string
  /** The route's pattern. The path must not be logged, because it contains ids. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly code?: string | undefined
  readonly keyId?: string | undefined
}

/** The only details that a milestone may be logged with. */
export interface EventFacts {
  /** A node's index in the list, because its URL may contain a key. */
  readonly node?: number
  readonly cluster?: string
  readonly roles?: string
  readonly requestId?: string
}

/** The reports of the service about itself. */
export interface ServiceLog {
  readonly request: (entry: RequestEntry) => void
  /**
   * A failure with its kind and the step that failed. The error's message is omitted, because it may contain
   * anything.
   */
  readonly failed: (step: StepName, error: unknown, requestId?: string) => void
  /** A milestone such as a start or a stop. */
  readonly event: (name: EventName, facts?: EventFacts) => void
}
