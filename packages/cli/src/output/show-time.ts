/** Seconds of the chain's clock as a date. */
export const isoOfSeconds = (seconds: bigint): string =>
  new Date(Number(seconds) * 1_000).toISOString()
