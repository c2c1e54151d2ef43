import { ceilToGrid, floorToGrid, type UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/**
 * Generous estimates: seconds from a deposit's block to its finality, and from the start of a proof to its landing.
 */
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

/** The distribution from which delays are drawn. */
export interface DelayLaw {
  /** The mean of a delay before a window cuts it off. */
  readonly meanSeconds: number
  /** The width of the default window, to which this mean belongs. */
  readonly spreadSeconds: number
}

/** The service's default delays, and the longest delay that a request may ask for. */
export interface DelayPolicy extends Delays {
  readonly meanSeconds: number
  readonly windowSeconds: number
}

/** The distribution of a service with these default delays. */
export const lawOf = ({
  meanSeconds,
  minDelaySeconds,
  maxDelaySeconds,
}: Omit<DelayPolicy, 'windowSeconds'>): DelayLaw => ({
  meanSeconds,
  spreadSeconds: maxDelaySeconds - minDelaySeconds,
})

/**
 * The mean delay after the minimum, in whole milliseconds, before the window cuts it off. If a window is wider than the
 * default one, its mean is proportionally longer, so that a sender who accepts a longer wait hides among more deposits.
 * A narrower window keeps the mean. Its delays are then almost uniform, which is the best possible distribution.
 */
export function meanDelayMs({ meanSeconds, spreadSeconds }: DelayLaw, delays: Delays): number {
  const meanMs = Math.max(1, meanSeconds * 1_000)
  const width = delays.maxDelaySeconds - delays.minDelaySeconds
  if (width <= spreadSeconds || spreadSeconds === 0) return meanMs
  return Math.floor((meanMs * width) / spreadSeconds)
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
 * fits after it. Otherwise the minimum is reduced, but not below 0. The window then keeps its full width, and the
 * delivery time of a late payment stays unpredictable.
 */
export function delaysLeft(delays: Delays, roomSeconds: bigint): Delays {
  const { minDelaySeconds, maxDelaySeconds } = delays
  if (BigInt(maxDelaySeconds) <= roomSeconds) return { minDelaySeconds, maxDelaySeconds }
  // Here the room is less than `maxDelaySeconds`, so the conversion is exact.
  const room = roomSeconds <= 0n ? 0 : wholeNumber(roomSeconds)
  const width = maxDelaySeconds - minDelaySeconds
  const isWideEnough = 2 * (room - minDelaySeconds) >= width
  const least = isWideEnough ? minDelaySeconds : Math.max(0, room - width)
  return { minDelaySeconds: least, maxDelaySeconds: room }
}

/** The mean of all delays that are drawn from a window, in seconds. */
export function truncatedMeanSeconds(law: DelayLaw, delays: Delays): number {
  const width = delays.maxDelaySeconds - delays.minDelaySeconds
  const mean = meanDelayMs(law, delays) / 1_000
  const after = width === 0 ? 0 : mean - width / Math.expm1(width / mean)
  return delays.minDelaySeconds + after
}

/** The share of deliveries that arrive within `expectedSeconds`, if a queue doesn't delay them. */
const BOUND_SHARE = 0.97

/** A transfer's delays, a deposit that opens or fills a balance, or a payment out of a balance. */
export type Arriving = Delays | 'top_up' | 'payment'

/**
 * Expected seconds from the signature until the recipient has the funds, or until a balance can be used. See
 * `expectedSeconds`.
 */
export type ArrivalSeconds = (arriving: Arriving) => number

/** The work that the service's provers have to do. */
export interface Queue {
  /** Unsettled work: deposited orders that are due within `DUE_SOON_SECONDS`, and signed payments. */
  readonly open: number
  /** Recent number of deposits a second. */
  readonly depositsPerSecond: number
  /** Number of settlements a second that the provers can make; 0 if no worker has reported. */
  readonly settledPerSecond: number
}

/** An empty queue. */
export const NO_QUEUE: Queue = { open: 0, depositsPerSecond: 0, settledPerSecond: 0 }

/**
 * Seconds from the sender's signature until the recipient has the funds: a bound that holds for at least 95 % of
 * deliveries. Without a queue, the drawn delay decides, and the bound is a quantile of its distribution. Orders are
 * settled in the order in which they become due. So with a queue, two groups of orders may be settled before this
 * order: the orders that are due now, and the orders that become due earlier. The order is settled at the latest after
 * both groups.
 */
export function expectedSeconds(delays: Delays, law: DelayLaw, queue: Queue = NO_QUEUE): number {
  const { minDelaySeconds, maxDelaySeconds } = delays
  const width = maxDelaySeconds - minDelaySeconds
  const mean = meanDelayMs(law, delays) / 1_000
  const dueSeconds = FINALITY_SECONDS + minDelaySeconds + delayQuantile(BOUND_SHARE, width, mean)
  const seconds = Math.max(dueSeconds, queueSeconds(queue, dueSeconds, law.meanSeconds))
  return Math.ceil(seconds) + SETTLING_SECONDS
}

/** The expected seconds that a service states, from its distribution and its newest queue. */
export function arrivalSecondsOf(law: DelayLaw, newest: () => Queue | undefined): ArrivalSeconds {
  return (arriving) => {
    // A balance can be used as soon as its deposit is final, without a proof.
    if (arriving === 'top_up') return FINALITY_SECONDS + SETTLING_SECONDS
    if (arriving !== 'payment') return expectedSeconds(arriving, law, newest())
    return queueSeconds(newest() ?? NO_QUEUE, 0, law.meanSeconds) + SETTLING_SECONDS
  }
}

/**
 * Workers report several times a minute. If a worker hasn't reported for this long while another worker has, it counts
 * as ended.
 */
export const REPORTED_MS = 45_000

/** Orders that are due within this time are counted. The number of orders that become due later is estimated. */
export const DUE_SOON_SECONDS = 120

/**
 * Seconds until the provers have settled all orders that come before an order that becomes due in `dueSeconds`, rounded
 * up to a step. Orders that are due soon are counted. The number of the others is estimated from the public rate of
 * deposits.
 */
function queueSeconds(queue: Queue, dueSeconds: number, meanSeconds: number): number {
  const { open, depositsPerSecond, settledPerSecond } = queue
  if (settledPerSecond === 0) return 0
  // Some of the deposits that come before the due time are left out: the latest ones are usually delivered after it,
  // and some earlier ones are already counted in `open`.
  const soon = -Math.expm1(-Math.min(dueSeconds, DUE_SOON_SECONDS) / meanSeconds)
  const later = depositsPerSecond * Math.max(0, dueSeconds - meanSeconds * soon)
  const ahead = open + later
  // The margin is needed because the numbers of orders vary by chance.
  return inSteps((ahead + DEVIATIONS * Math.sqrt(ahead)) / settledPerSecond)
}

const DEVIATIONS = 2

/**
 * The stated lengths of a queue, in seconds; longer ones are whole hours. A queue shorter than `QUEUE_LEAST` isn't
 * stated. The number of waiting orders is private: with exact seconds, an observer who asks for quotes before and after
 * each deposit would see which deposits are top-ups.
 */
const QUEUE_STEPS = [60, 300, 900, 3_600] as const
const QUEUE_LEAST = 30
const HOUR_SECONDS = 3_600

function inSteps(seconds: number): number {
  if (seconds < QUEUE_LEAST) return 0
  const step = QUEUE_STEPS.find((one) => one >= seconds)
  return step ?? Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS
}

/** A quantile of the delay after the minimum, in seconds: the given share of all drawn delays is at most this long. */
function delayQuantile(share: number, width: number, mean: number): number {
  if (width === 0) return 0
  return -mean * Math.log1p(share * Math.expm1(-width / mean))
}

/** Expected seconds until the funds arrive, for an order with a drawn delivery time. */
export function secondsLeft(deliverAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deliverAtMs - nowMs) / 1_000)) + SETTLING_SECONDS
}

/**
 * Seconds that a delivery has to land before its public time passes, unless the expiry comes first. A blockhash is
 * valid for a shorter time, so a transaction expires before it could land too late.
 */
export const LANDING_SECONDS = 90n

/** The public time of a delivery at this clock; undefined if it is too late for a delivery. */
export function deliveryTime(clock: UnixSeconds, expiry: UnixSeconds): UnixSeconds | undefined {
  if (clock > expiry) return undefined
  const time = ceilToGrid(clock + LANDING_SECONDS)
  return time <= expiry ? time : expiry
}

/** The public time of a refund at this clock; undefined if it is too early for a refund. */
export function refundTime(clock: UnixSeconds, expiry: UnixSeconds): UnixSeconds | undefined {
  const time = floorToGrid(clock)
  return time > expiry ? time : undefined
}
