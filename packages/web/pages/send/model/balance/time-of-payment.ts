import { WAIT_SPREAD_SECONDS, type Amount, type UnixSeconds } from '@sotto/protocol'
import type { ShownBalance } from '@sotto/sdk/balance'

/**
 * A waiting payment is made at a random moment within this time. A moment computed from the deposit would point to the
 * deposit again.
 */
export const WAIT_SPREAD_MS = WAIT_SPREAD_SECONDS * 1_000

/** The reasons why a payment is easy to link with its top-up. */
export type GivenAwayBy =
  /** The payment follows the top-up so closely that its time points to the top-up. */
  | 'time'
  /** The payment takes all that was paid in. Then both amounts match, whenever the payment is made. */
  | 'amount'

/**
 * The reasons why a payment of `gross` base units, fees included, would be easy to link; `now` is in seconds since
 * 1970.
 */
export function givenAwayBy(stored: ShownBalance, gross: Amount, now: UnixSeconds): GivenAwayBy[] {
  const { note, payments } = stored
  if (note === undefined) return []
  const isFirst = payments.every(({ step }) => step !== 'paid')
  return [
    ...(now < note.linkableUntil ? (['time'] as const) : []),
    ...(isFirst && gross === note.value ? (['amount'] as const) : []),
  ]
}

/** A balance that ends within this time is shown with a warning. */
const ENDING_SECONDS = 5n * 86_400n

/** True if people should be warned that the balance ends. */
export const isEnding = (endsAt: UnixSeconds, now: UnixSeconds): boolean =>
  now < endsAt && endsAt - now <= ENDING_SECONDS
