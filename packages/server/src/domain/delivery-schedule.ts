import { ceilToGrid, floorToGrid, type UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/** Generous estimates: seconds from a deposit's block to its finality, and from the start of a proof to its landing. */
const FINALITY_SECONDS = 15
const SETTLING_SECONDS = 10

export interface Delays {
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
}

/** The delays that a request may contain. */
export interface AskedDelays {
  readonly minDelaySeconds?: number | undefined
  readonly maxDelaySeconds?: number | undefined
}

/** The service's default delays, and the longest delay that a request may ask for. */
export interface DelayPolicy extends Delays {
  readonly windowSeconds: number
}

/**
 * The delays that a request gets: those that it asks for, or else the service's defaults. Undefined if the delays
 * contradict each other or exceed the window. If a request asks only for a longer minimum, the maximum is raised too.
 */
export function chooseDelays(policy: DelayPolicy, asked: AskedDelays): Delays | undefined {
  const { windowSeconds } = policy
  const spread = policy.maxDelaySeconds - policy.minDelaySeconds
  const minDelaySeconds =
    asked.minDelaySeconds ??
    Math.min(policy.minDelaySeconds, asked.maxDelaySeconds ?? policy.minDelaySeconds)
  const maxDelaySeconds =
    asked.maxDelaySeconds ??
    Math.min(Math.max(policy.maxDelaySeconds, minDelaySeconds + spread), windowSeconds)
  if (minDelaySeconds > maxDelaySeconds || maxDelaySeconds > windowSeconds) return undefined
  return { minDelaySeconds, maxDelaySeconds }
}

/**
 * An order's delays at the time when its deposit is recorded. `roomSeconds` are left until the last moment to start a
 * delivery. The maximum is reduced to the room. The minimum stays as requested if at least half of the window's width
 * fits after it. Otherwise the minimum is reduced, at the lowest to 0, so that the window keeps its full width and the
 * delivery time of a late payment stays unpredictable.
 */
export function delaysLeft(delays: Delays, roomSeconds: bigint): Delays {
  const { minDelaySeconds, maxDelaySeconds } = delays
  if (BigInt(maxDelaySeconds) <= roomSeconds) return { minDelaySeconds, maxDelaySeconds }
  // In this branch the room is less than `maxDelaySeconds`, so it is a safe number.
  const room = roomSeconds <= 0n ? 0 : wholeNumber(roomSeconds)
  const width = maxDelaySeconds - minDelaySeconds
  const isWideEnough = 2 * (room - minDelaySeconds) >= width
  const least = isWideEnough ? minDelaySeconds : Math.max(0, room - width)
  return { minDelaySeconds: least, maxDelaySeconds: room }
}

/** Seconds from the sender's signature until the recipient has the funds, in the slowest normal case. */
export function expectedSeconds({ maxDelaySeconds }: Delays): number {
  return FINALITY_SECONDS + maxDelaySeconds + SETTLING_SECONDS
}

/** Seconds left until the funds arrive, for an order with a drawn delivery time. */
export function secondsLeft(deliverAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deliverAtMs - nowMs) / 1_000)) + SETTLING_SECONDS
}

/**
 * Seconds that a delivery has to land before its public time passes, unless the expiry comes first. A blockhash is
 * valid for less time, so the transaction expires before it could land too late.
 */
export const LANDING_SECONDS = 90n

/** The public time of a delivery at this clock; undefined if it is too late for a delivery. */
export function deliveryTime(clock: bigint, expiry: UnixSeconds): UnixSeconds | undefined {
  if (clock > expiry) return undefined
  const time = ceilToGrid(clock + LANDING_SECONDS)
  return time <= expiry ? time : expiry
}

/** The public time of a refund at this clock; undefined if it is too early for a refund. */
export function refundTime(clock: bigint, expiry: UnixSeconds): UnixSeconds | undefined {
  const time = floorToGrid(clock)
  return time > expiry ? time : undefined
}
