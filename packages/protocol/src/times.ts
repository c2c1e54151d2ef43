import { RENEWAL_SECONDS, TIME_GRID_SECONDS } from './constants.ts'
import { unixSeconds, type UnixSeconds } from './units.ts'

/** The first grid time at or after `seconds`. For the chain's clock, this is a delivery's public time. */
export function ceilToGrid(seconds: bigint): UnixSeconds {
  return unixSeconds(((seconds + TIME_GRID_SECONDS - 1n) / TIME_GRID_SECONDS) * TIME_GRID_SECONDS)
}

/** The last grid time at or before `seconds`. For the chain's clock, this is a refund's public time. */
export function floorToGrid(seconds: bigint): UnixSeconds {
  return unixSeconds((seconds / TIME_GRID_SECONDS) * TIME_GRID_SECONDS)
}

/**
 * The time after which a note can only be refunded: a deadline on the time grid plus the delivery window. The window is
 * the same constant for every order.
 */
export function expiryOf(deadline: bigint, deliveryWindowSeconds: bigint): UnixSeconds {
  return unixSeconds(deadline + deliveryWindowSeconds)
}

/**
 * The deadline of what a payment out of a balance leaves: the beginning of the day, by UTC, in which its signature ends,
 * or the note's own deadline if that is later. The balance's end moves on with it. If the rest of a balance returns by
 * itself, the time shows on which day the last payment was made, and not at which of the day's ten-minute marks.
 */
export function renewedDeadline(deadline: UnixSeconds, validUntil: bigint): UnixSeconds {
  const day = unixSeconds((validUntil / RENEWAL_SECONDS) * RENEWAL_SECONDS)
  return day > deadline ? day : deadline
}
