/**
 * Milliseconds after which a wait fails as hung. Even on a busy machine, a normal wait takes far less time. This limit
 * is shorter than a test's own time limit, because the error of the wait is more informative.
 */
export const HUNG_MS = 300_000
