import { WAIT_SPREAD_SECONDS, type Amount, type UnixSeconds } from '@sotto/protocol'
import type { ShownBalance } from '@sotto/sdk/balance'

/**
 * A waiting payment is made at a random moment within this time. Anyone can compute a fixed moment from the deposit,
 * so a payment at a fixed moment could be linked to the deposit.
 */
export const WAIT_SPREAD_MS = WAIT_SPREAD_SECONDS * 1_000

/** The reasons why a payment is easy to link with its top-up. */
export type GivenAwayBy =
  /** The payment is made so soon after the top-up that its time points to the top-up. */
  | 'time'
  /** The payment sends everything that was paid in. So the two amounts match, no matter when the payment is made. */
  | 'amount'

/**
 * The reasons why a payment of `gross` base units, fees included, would be easy to link. `now` is in seconds since
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

/** If a balance ends within this many seconds, the page shows a warning. */
const ENDING_SECONDS = 5n * 86_400n

/** True if the page should warn that the balance will end. */
export const isEnding = (endsAt: UnixSeconds, now: UnixSeconds): boolean =>
  now < endsAt && endsAt - now <= ENDING_SECONDS
