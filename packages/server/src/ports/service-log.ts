import type { EventName, StepName } from '../domain/log-names.ts'

/** One answered request. The entry contains only ids and codes: no address, amount, key, body or query. */
export interface RequestEntry {
  readonly requestId: string
  readonly method: string
  /** The pattern of the route. The path must not be logged, because it contains ids. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly code?: string | undefined
  readonly keyId?: string | undefined
}

/** The only details that may be logged with a milestone. */
export interface EventFacts {
  /** The index of a node in the list. Its URL isn't logged, because it may contain a key. */
  readonly node?: number
  readonly cluster?: string
  readonly roles?: string
  readonly prices?: string
  readonly screeners?: string
  readonly requestId?: string
}

/** Reports of the service about itself. */
export interface ServiceLog {
  readonly request: (entry: RequestEntry) => void
  /**
   * Logs a failure with its kind and the step that failed. The error's message isn't logged, because it may contain
   * anything.
   */
  readonly failed: (step: StepName, error: unknown, requestId?: string) => void
  /** Logs a milestone, for example a start or a stop. */
  readonly event: (name: EventName, facts?: EventFacts) => void
}
