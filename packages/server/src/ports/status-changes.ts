/**
 * Notifies waiting callers that an order's status has changed. Names are the outbox's, so that two changes of
 * one order have nothing in common for an eavesdropper. A hint: waiting callers also poll.
 */
export interface StatusChanges {
  readonly notify: (names: readonly string[]) => void
  /** Resolves when one of these is announced, or the signal aborts. */
  readonly next: (names: readonly string[], signal: AbortSignal) => Promise<void>
}
