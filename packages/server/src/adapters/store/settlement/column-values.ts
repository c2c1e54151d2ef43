/** Bytes as a parameter of `decode($n, 'hex')`, which every driver writes alike, in arrays too. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** Bytes of a column, whichever kind of buffer the driver makes of them. */
export function bytesOf(column: Uint8Array): Uint8Array {
  return new Uint8Array(column)
}

const HOUR_MS = 3_600_000

/** The start of the hour: a final order's exact time would be its delivery's. */
export function hourOf(ms: number): Date {
  return new Date(ms - (ms % HOUR_MS))
}
