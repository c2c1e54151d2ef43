import {
  REFUND_WINDOW_SECONDS,
  RENEWAL_SECONDS,
  SKEW_SECONDS,
  TIME_GRID_SECONDS,
} from './constants.ts'
import { unixSeconds, type UnixSeconds } from './units.ts'

/**
 * The first grid time (a multiple of 600 seconds) at or after `seconds`. A delivery's public time is rounded with this
 * function.
 */
export function ceilToGrid(seconds: bigint): UnixSeconds {
  return unixSeconds(((seconds + TIME_GRID_SECONDS - 1n) / TIME_GRID_SECONDS) * TIME_GRID_SECONDS)
}

/**
 * The last grid time at or before `seconds`. A refund's public time is rounded with this function: see `refundTimeAt`.
 */
export function floorToGrid(seconds: bigint): UnixSeconds {
  return unixSeconds((seconds / TIME_GRID_SECONDS) * TIME_GRID_SECONDS)
}

/**
 * A note's expiry, which is the last second in which the note can be delivered: the order's deadline plus the delivery
 * window. The service uses the same delivery window for all orders.
 */
export function expiryOf(deadline: bigint, deliveryWindowSeconds: bigint): UnixSeconds {
  return unixSeconds(deadline + deliveryWindowSeconds)
}

/** The last public time with which a note's refund can be proved: the last grid time of the refund window. */
export function lastRefundTime(expiry: bigint): UnixSeconds {
  return floorToGrid(expiry + REFUND_WINDOW_SECONDS)
}

/**
 * The last second of the chain's clock in which a settlement with this public time can land: see
 * `program/src/guards/time.rs`. A refund's public time may be up to `SKEW_SECONDS` earlier than the clock.
 */
export function lastLandingClock(time: bigint, isRefund: boolean): UnixSeconds {
  return unixSeconds(isRefund ? time + SKEW_SECONDS : time)
}

/**
 * The last second of the chain's clock in which a note's refund can land. It is up to an hour after the refund window,
 * because the refund's public time may be earlier than the clock.
 */
export function lastRefundClock(expiry: bigint): UnixSeconds {
  return lastLandingClock(lastRefundTime(expiry), true)
}

/**
 * A delivery or payment has at least this many seconds to land before its public time. Shortly before the expiry it may
 * have less, because the public time is never after the expiry. More time would be useless, because a transaction's
 * blockhash is valid for less than 90 seconds.
 */
export const LANDING_SECONDS = 90n

/**
 * The public time of a delivery or payment that is made at the time `clock`; undefined if it is too late. The service
 * and a recovery use the same rule, so that the time doesn't show which of them settled a note.
 */
export function deliveryTimeAt(clock: bigint, expiry: bigint): UnixSeconds | undefined {
  const [time, last] = [ceilToGrid(clock + LANDING_SECONDS), floorToGrid(expiry)]
  if (clock > last) return undefined
  return time < last ? time : last
}

/**
 * The public time of a refund that is made at the time `clock`: the last grid time that isn't after `clock` and can be
 * proved.
 */
export function refundTimeAt(clock: bigint, expiry: bigint): UnixSeconds {
  const [now, last] = [floorToGrid(clock), lastRefundTime(expiry)]
  return now < last ? now : last
}

/**
 * The deadline of the change note of a payment out of a balance. It is the beginning of the day (UTC) in which the
 * payment's signature expires, or the note's own deadline if that is later. So a payment can postpone the balance's
 * end. The service may return the balance's rest at that end, in public. Because the deadline is the beginning of a
 * day, the time of the return reveals only the day of the last payment, not its time of day.
 */
export function renewedDeadline(deadline: UnixSeconds, validUntil: bigint): UnixSeconds {
  const day = unixSeconds((validUntil / RENEWAL_SECONDS) * RENEWAL_SECONDS)
  return day > deadline ? day : deadline
}
