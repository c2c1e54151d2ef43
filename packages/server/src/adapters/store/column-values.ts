/** Copies a column's bytes. PostgreSQL's driver returns a `Buffer`, but other code expects a plain `Uint8Array`. */
export function bytesOf(column: Uint8Array): Uint8Array {
  return new Uint8Array(column)
}

const HOUR_MS = 3_600_000

/**
 * Returns the start of the hour that contains a time. Only this hour is stored for a final order, because the exact
 * time would reveal the time of its delivery.
 */
export function hourOf(ms: number): Date {
  return new Date(ms - (ms % HOUR_MS))
}

/**
 * SQL over `chain_cursor` for the latest hour that may be stored. If a wall clock jumped ahead, an hour far in the
 * future could be stored. That hour would delay the destruction of an epoch's key for years. The limit is two hours
 * after the chain's clock, because the chain's clock may lag by about an hour.
 */
export const LATEST_HOUR = `date_trunc('hour', to_timestamp(unix_seconds) + interval '2 hours', 'UTC')`
