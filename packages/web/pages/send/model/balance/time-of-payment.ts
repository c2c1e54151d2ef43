import { WAIT_SPREAD_SECONDS, type Amount, type UnixSeconds } from '@sotto/protocol'
import type { ShownBalance } from '@sotto/sdk/balance'

/**
 * Waiting ends at a random moment within this time, because a moment computed from the deposit would point to it again.
 */
export const WAIT_SPREAD_MS = WAIT_SPREAD_SECONDS * 1_000

/** The reasons why a payment is easy to link with its top-up. */
export type GivenAwayBy =
  /** It follows the top-up so closely that the time points to it. */
  | 'time'
  /** It takes all that was paid in. Then both amounts match, whenever it is made. */
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
