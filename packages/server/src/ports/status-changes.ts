/**
 * Notifies waiting callers that an order's status has changed. A notification contains only the name of an event in the
 * outbox, so an eavesdropper can't link two events of the same order. A notification is only a hint, because waiting
 * callers also poll.
 */
export interface StatusChanges {
  readonly notify: (names: readonly string[]) => void
  /** Resolves when an event with one of these names is announced, or when the signal aborts. */
  readonly next: (names: readonly string[], signal: AbortSignal) => Promise<void>
}
