/**
 * Notifies waiting callers that an order's status has changed. A notification contains only the name of the change in
 * the outbox, so an eavesdropper can't link two changes of the same order. A notification is only a hint, because
 * waiting callers also poll.
 */
export interface StatusChanges {
  readonly notify: (names: readonly string[]) => void
  /** Resolves when a change with one of these names is announced, or when the signal aborts. */
  readonly next: (names: readonly string[], signal: AbortSignal) => Promise<void>
}
