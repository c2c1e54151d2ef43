/**
 * True if other workers must still respect a lease. If a lease ends more than `LEASES_AHEAD` lease durations from now,
 * it came from a clock that had jumped. Such a lease is ignored, because the order could otherwise wait for years. A
 * valid lease may end more than one duration from now, because the clocks of two workers may differ by a few seconds.
 * In every case, only the newest holder can write, because each claim raises the lease's fencing token.
 */
export function isLeaseHeld(untilMs: number | undefined, nowMs: number, leaseMs: number): boolean {
  return untilMs !== undefined && untilMs > nowMs && untilMs <= nowMs + LEASES_AHEAD * leaseMs
}

/** A valid lease ends at most this many lease durations from now. */
export const LEASES_AHEAD = 2
