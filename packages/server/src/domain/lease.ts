/**
 * True if other workers must still respect a lease. A lease that ends more than two lease lengths ahead was written
 * by a clock that had jumped, and is invalid: an order must not wait for years. Between one and two lengths it is
 * valid, because the clocks of two healthy workers may differ by some seconds. In any case the fence lets only the
 * newest holder write.
 */
export function isLeaseHeld(untilMs: number | undefined, nowMs: number, leaseMs: number): boolean {
  return untilMs !== undefined && untilMs > nowMs && untilMs <= nowMs + LEASES_AHEAD * leaseMs
}

/** A lease may end at most this many lease lengths ahead of the clock. */
export const LEASES_AHEAD = 2
