/** The wall clock, and waiting. The simulator implements both with virtual time. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Resolves after `ms`, or immediately when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
