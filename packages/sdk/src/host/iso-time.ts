import type { UnixSeconds } from '@sotto/protocol'

/** Converts seconds of the chain's clock to an ISO timestamp. */
export const isoOfSeconds = (seconds: UnixSeconds): string =>
  new Date(Number(seconds) * 1_000).toISOString()
