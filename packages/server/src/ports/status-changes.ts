/**
 * Notifies waiting callers that an order's status has changed. It uses the outbox's names, so that an
 * eavesdropper can't link two changes of one order. Only a hint: waiting callers also poll.
 */
export interface StatusChanges {
  readonly notify: (names: readonly string[]) => void
  /** Resolves when one of these is announced or the signal aborts. */
  readonly next: (names: readonly string[], signal: AbortSignal) => Promise<void>
}
