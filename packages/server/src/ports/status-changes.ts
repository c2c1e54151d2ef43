/**
 * Notifies waiting callers that an order's status has changed. The notification carries the outbox's name of the
 * change, so that an eavesdropper can't link two changes of one order. A notification is only a hint: waiting callers
 * also poll.
 */
export interface StatusChanges {
  readonly notify: (names: readonly string[]) => void
  /** Resolves when a change with one of these names is announced, or when the signal aborts. */
  readonly next: (names: readonly string[], signal: AbortSignal) => Promise<void>
}
