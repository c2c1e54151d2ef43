/**
 * Milliseconds after which a wait fails as hung. Even on a busy machine, a normal wait takes far less time. The limit
 * is shorter than a test's own time limit, because the error of a wait says more than the error of a test.
 */
export const HUNG_MS = 300_000
