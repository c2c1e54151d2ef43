/**
 * Milliseconds after which a wait counts as hung. The limit is so long that a wait stays far below it even on a busy
 * machine. It is shorter than the limit of a test, because the wait's own error says more.
 */
export const HUNG_MS = 300_000
