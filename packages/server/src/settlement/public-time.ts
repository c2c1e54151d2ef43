import { ceilToGrid, floorToGrid, type UnixSeconds } from '@sotto/protocol'

/** Longer than a blockhash lives, so that no delivery crosses the time grid between proof and block. */
const LANDING_SECONDS = 90n

/** The public time of a delivery at this clock; undefined where it is too late for one. */
export function deliveryTime(clock: bigint, expiry: UnixSeconds): UnixSeconds | undefined {
  if (clock > expiry) return undefined
  const time = ceilToGrid(clock + LANDING_SECONDS)
  return time <= expiry ? time : expiry
}

/** The public time of a refund at this clock; undefined where it is too early for one. */
export function refundTime(clock: bigint, expiry: UnixSeconds): UnixSeconds | undefined {
  const time = floorToGrid(clock)
  return time > expiry ? time : undefined
}
