/** Bytes of a column: a `Buffer` of PostgreSQL's driver becomes the plain bytes that everything else expects. */
export function bytesOf(column: Uint8Array): Uint8Array {
  return new Uint8Array(column)
}

const HOUR_MS = 3_600_000

/** The start of the hour: a final order's exact time would be its delivery's. */
export function hourOf(ms: number): Date {
  return new Date(ms - (ms % HOUR_MS))
}

/**
 * SQL over `chain_cursor`: the latest hour that anything can be of. A wall clock that had jumped ahead
 * would keep an epoch's key alive for years. The chain's clock may lag, but by no more than an hour or so.
 */
export const LATEST_HOUR = `date_trunc('hour', to_timestamp(unix_seconds) + interval '2 hours', 'UTC')`
