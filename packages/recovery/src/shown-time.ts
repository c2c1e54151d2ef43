import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** Seconds since 1970 by this machine's clock. */
export const wallClock = (): UnixSeconds => unixSeconds(BigInt(Math.floor(Date.now() / 1_000)))

/** Seconds of the chain's clock as an ISO date. */
export const isoOf = (seconds: UnixSeconds): string =>
  new Date(Number(seconds) * 1_000).toISOString()
