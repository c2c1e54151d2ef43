import type { UnixSeconds } from '@sotto/protocol'
/** Seconds of the chain's clock as a date. */
export const isoOfSeconds = (seconds: UnixSeconds): string =>
  new Date(Number(seconds) * 1_000).toISOString()
