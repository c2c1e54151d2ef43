/**
 * True if other workers must still respect a lease. A lease that ends more than two lease lengths ahead is invalid,
 * because it comes from a clock that had jumped. If it were valid, an order could wait for years. A lease that ends
 * between one and two lengths ahead is valid, because the clocks of two workers may differ by some seconds. In every
 * case the fence lets only the newest holder write.
 */
export function isLeaseHeld(untilMs: number | undefined, nowMs: number, leaseMs: number): boolean {
  return untilMs !== undefined && untilMs > nowMs && untilMs <= nowMs + LEASES_AHEAD * leaseMs
}

/** A valid lease ends at most this many lease lengths ahead of the clock. */
export const LEASES_AHEAD = 2
