/**
 * Whether a lease still binds the others. One that ends further away than two lease lengths was
 * written by a clock that had jumped ahead and binds nobody: an order must not wait for years. Between
 * one and two lengths it holds, because the clocks of two healthy workers may differ by some seconds.
 * Whoever is right, the fence lets only the newest holder write.
 */
export function isLeaseHeld(untilMs: number | undefined, nowMs: number, leaseMs: number): boolean {
  return untilMs !== undefined && untilMs > nowMs && untilMs <= nowMs + LEASES_AHEAD * leaseMs
}

/** How many lease lengths ahead of the clock a lease may end. */
export const LEASES_AHEAD = 2
