import { unixSeconds, WAIT_SPREAD_SECONDS, type UnixSeconds } from '@sotto/protocol'
import { msOfSeconds } from '../../../look/durations.ts'

/**
 * A waiting payment is made at a random moment within this time. Anyone can compute a fixed moment from the deposit,
 * so a payment at a fixed moment could be linked to the deposit.
 */
export const WAIT_SPREAD_MS = WAIT_SPREAD_SECONDS * 1_000

/** If a balance ends within this many seconds, the page shows a warning. */
const ENDING_SECONDS = 5n * 86_400n

/** True if the page should warn that the balance will end. */
export const isEnding = (endsAt: UnixSeconds, now: UnixSeconds): boolean =>
  now < endsAt && endsAt - now <= ENDING_SECONDS

/** A reading of the chain's clock. */
export interface ClockReading {
  readonly clock: UnixSeconds
  /** The time of the reading by this browser's clock, in milliseconds. */
  readonly readMs: number
}

/**
 * The times that decide whether a payment's time reveals the top-up. `now` and `settled` are times of the chain's
 * clock, because a browser's clock may be wrong by hours. `fromMs` is the time that this browser's clock shows at
 * `settled`.
 */
export function timesFor(
  { clock, readMs }: ClockReading,
  settled: UnixSeconds,
  nowMs: number,
): { readonly now: UnixSeconds; readonly left: bigint; readonly fromMs: number } {
  const now = unixSeconds(clock + BigInt(Math.floor((nowMs - readMs) / 1_000)))
  const fromMs = readMs + msOfSeconds(settled) - msOfSeconds(clock)
  return { now, left: settled - now, fromMs }
}
