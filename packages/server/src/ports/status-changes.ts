/**
 * Tells those who wait that an order's status has changed. Names are the outbox's, so that two changes of
 * one order have nothing in common for whoever overhears them. A hint: whoever waits also looks by itself.
 */
export interface StatusChanges {
  readonly tell: (names: readonly string[]) => void
  /** Resolves when one of these is told, or the signal aborts. */
  readonly next: (names: readonly string[], signal: AbortSignal) => Promise<void>
}
