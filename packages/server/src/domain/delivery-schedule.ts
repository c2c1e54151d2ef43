import { refundTimeAt, type UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/**
 * Generous estimates, in seconds: from a deposit's block to its finality, and from the start of a proof to the landing
 * of its settlement.
 */
const FINALITY_SECONDS = 15
const SETTLING_SECONDS = 10

export interface Delays {
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
}

/** The delays that a request asks for. */
export interface AskedDelays {
  readonly minDelaySeconds?: number | undefined
  readonly maxDelaySeconds?: number | undefined
}

/** The distribution from which delays are drawn. */
export interface DelayLaw {
  /** The mean delay that would result if the end of the window didn't cut off the longest delays. */
  readonly meanSeconds: number
  /** The width of the default window, for which `meanSeconds` is set. */
  readonly spreadSeconds: number
}

/** The service's default delays, and the longest delay that a request may ask for (`windowSeconds`). */
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
 * The mean of the drawn part of a delay, which follows the minimum delay, in whole milliseconds. It is the mean before
 * the window cuts off the longest delays. If a window is wider than the default window, its mean is proportionally
 * longer. So a sender who accepts a longer wait is hidden among more deposits. In a narrower window the mean stays the
 * same. The narrower the window is, the closer the distribution of the delays is to a uniform one, which is the best
 * possible distribution.
 */
export function meanDelayMs({ meanSeconds, spreadSeconds }: DelayLaw, delays: Delays): number {
  const meanMs = Math.max(1, meanSeconds * 1_000)
  const width = delays.maxDelaySeconds - delays.minDelaySeconds
  if (width <= spreadSeconds || spreadSeconds === 0) return meanMs
  return Math.floor((meanMs * width) / spreadSeconds)
}

/**
 * The delays for a request. Defaults of the service replace the delays that the request omits. If the request names
 * only a longer minimum, the maximum is raised too. If the request names only a shorter maximum, the minimum is reduced
 * if necessary. Undefined if the delays contradict each other or exceed the window.
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
 * The delays of an order when its deposit is recorded. `roomSeconds` is the time until the last moment at which a
 * delivery can start. The maximum is reduced to this room. The minimum stays as requested if at least half of the
 * window's width remains between the minimum and the new maximum. Otherwise the minimum is reduced, but not below 0.
 * The window then keeps its full width, if the room is wide enough. So the delivery time stays unpredictable even if
 * the sender pays late.
 */
export function delaysLeft(delays: Delays, roomSeconds: bigint): Delays {
  const { minDelaySeconds, maxDelaySeconds } = delays
  if (BigInt(maxDelaySeconds) <= roomSeconds) return { minDelaySeconds, maxDelaySeconds }
  // The room is less than `maxDelaySeconds` here, so the conversion is exact.
  const room = roomSeconds <= 0n ? 0 : wholeNumber(roomSeconds)
  const width = maxDelaySeconds - minDelaySeconds
  const isWideEnough = 2 * (room - minDelaySeconds) >= width
  const least = isWideEnough ? minDelaySeconds : Math.max(0, room - width)
  return { minDelaySeconds: least, maxDelaySeconds: room }
}

/** The mean of all delays that are drawn from a window, in seconds, including the minimum delay. */
export function truncatedMeanSeconds(law: DelayLaw, delays: Delays): number {
  const width = delays.maxDelaySeconds - delays.minDelaySeconds
  const mean = meanDelayMs(law, delays) / 1_000
  const after = width === 0 ? 0 : mean - width / Math.expm1(width / mean)
  return delays.minDelaySeconds + after
}

/** The share of deliveries that arrive within `expectedSeconds` if no queue delays them. */
const BOUND_SHARE = 0.97

/**
 * The kind of an arrival: a transfer with these delays, a deposit that opens a balance, or a payment out of a balance.
 */
export type Arriving = Delays | 'top_up' | 'payment'

/**
 * Computes the expected seconds from the signature until the recipient has the funds, or until a balance can be used.
 * See `expectedSeconds`.
 */
export type ArrivalSeconds = (arriving: Arriving) => number

/** The work that waits for the service's provers, and their rate. */
export interface Queue {
  /** Number of unsettled orders: deposited orders that are due within `DUE_SOON_SECONDS`, and signed payments. */
  readonly open: number
  /** Recent number of deposits per second. */
  readonly depositsPerSecond: number
  /** Number of settlements per second that the provers can make. 0 if no worker has reported. */
  readonly settledPerSecond: number
}

/** An empty queue. */
export const NO_QUEUE: Queue = { open: 0, depositsPerSecond: 0, settledPerSecond: 0 }

/**
 * Seconds from the sender's signature until the recipient has the funds. At least 95 % of deliveries arrive within this
 * time. If there is no queue, the drawn delay determines the time, and the result is a quantile of the delay's
 * distribution. Orders are settled in the sequence in which they become due. So if there is a queue, two groups of
 * orders may be settled before this order: the orders that are due now, and the orders that become due before it. This
 * order is settled after both groups at the latest.
 */
export function expectedSeconds(delays: Delays, law: DelayLaw, queue: Queue = NO_QUEUE): number {
  const { minDelaySeconds, maxDelaySeconds } = delays
  const width = maxDelaySeconds - minDelaySeconds
  const mean = meanDelayMs(law, delays) / 1_000
  const dueSeconds = FINALITY_SECONDS + minDelaySeconds + delayQuantile(BOUND_SHARE, width, mean)
  const seconds = Math.max(dueSeconds, queueSeconds(queue, dueSeconds, law.meanSeconds))
  return Math.ceil(seconds) + SETTLING_SECONDS
}

/** Computes the expected seconds that a service states, from its distribution of delays and its newest queue. */
export function arrivalSecondsOf(law: DelayLaw, newest: () => Queue | undefined): ArrivalSeconds {
  return (arriving) => {
    // A balance can be used as soon as its deposit is final, without a proof.
    if (arriving === 'top_up') return FINALITY_SECONDS + SETTLING_SECONDS
    if (arriving !== 'payment') return expectedSeconds(arriving, law, newest())
    return queueSeconds(newest() ?? NO_QUEUE, 0, law.meanSeconds) + SETTLING_SECONDS
  }
}

/**
 * Workers report several times a minute. If a worker hasn't reported for this long but another worker has, the first
 * worker counts as stopped.
 */
export const REPORTED_MS = 45_000

/**
 * Orders that are due within this time are counted exactly. The number of orders that become due later is estimated.
 */
export const DUE_SOON_SECONDS = 120

/**
 * Seconds until the provers have settled all orders that precede an order. That order becomes due in `dueSeconds`. The
 * result is one of the lengths that can be stated: see `QUEUE_STEPS`. Orders that are due soon are counted exactly. The
 * number of later orders is estimated from the public rate of deposits.
 */
function queueSeconds(queue: Queue, dueSeconds: number, meanSeconds: number): number {
  const { open, depositsPerSecond, settledPerSecond } = queue
  if (settledPerSecond === 0) return 0
  // The estimate leaves out some of the deposits that land before the due time: the latest deposits are usually
  // delivered after the due time, and some earlier deposits are already counted in `open`.
  const soon = -Math.expm1(-Math.min(dueSeconds, DUE_SOON_SECONDS) / meanSeconds)
  const later = depositsPerSecond * Math.max(0, dueSeconds - meanSeconds * soon)
  const ahead = open + later
  // The margin covers random variations of the numbers of orders.
  return inSteps((ahead + DEVIATIONS * Math.sqrt(ahead)) / settledPerSecond)
}

const DEVIATIONS = 2

/**
 * The lengths of a queue that can be stated, in seconds. A longer queue is stated in whole hours, and a queue shorter
 * than `QUEUE_LEAST` isn't stated. The number of waiting orders is private: with exact seconds, an observer who
 * requests quotes before and after each deposit would see which deposits are top-ups.
 */
const QUEUE_STEPS = [60, 300, 900, 3_600] as const
const QUEUE_LEAST = 30
const HOUR_SECONDS = 3_600

function inSteps(seconds: number): number {
  if (seconds < QUEUE_LEAST) return 0
  const step = QUEUE_STEPS.find((one) => one >= seconds)
  return step ?? Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS
}

/** A quantile of the delay after the minimum, in seconds. The given share of all drawn delays is at most this long. */
function delayQuantile(share: number, width: number, mean: number): number {
  if (width === 0) return 0
  return -mean * Math.log1p(share * Math.expm1(-width / mean))
}

/** Expected seconds until the funds arrive, for an order with a drawn delivery time. */
export function secondsLeft(deliverAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deliverAtMs - nowMs) / 1_000)) + SETTLING_SECONDS
}

/** The public time of a refund that is made at the time `clock`. Undefined if it is too early for a refund. */
export function refundTime(clock: UnixSeconds, expiry: UnixSeconds): UnixSeconds | undefined {
  const time = refundTimeAt(clock, expiry)
  return time > expiry ? time : undefined
}
