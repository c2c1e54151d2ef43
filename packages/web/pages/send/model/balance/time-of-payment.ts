import type { ShownBalance } from '@sotto/sdk/balance'

/**
 * Counted from the order's deadline, which by default is 30 to 40 minutes after the order: an hour or more after a top-up no
 * ordinary transfer still waits for its delivery, so that a settlement no longer points to the newest deposits.
 */
const FRESH_SECONDS = 30n * 60n
/** Waiting ends at a random moment within this time: a moment that follows from the deposit would point to it again. */
export const WAIT_SPREAD_MS = 20 * 60_000

/** What makes a payment easy to link with its top-up. */
export type GivenAwayBy =
  /** It follows the top-up so closely that the time points to it. */
  | 'time'
  /** It takes all that was paid in, so that both amounts match, at any time. */
  | 'amount'

/** From this second on the top-up's time no longer points to a payment. */
export const settledFrom = ({ note }: ShownBalance): bigint =>
  (note?.paidInBy ?? 0n) + FRESH_SECONDS

/** What gives a payment away that takes `gross` base units from the balance; `now` in seconds since 1970. */
export function givenAwayBy(stored: ShownBalance, gross: bigint, now: bigint): GivenAwayBy[] {
  const { note, payments } = stored
  if (note === undefined) return []
  const isFirst = payments.every(({ step }) => step !== 'paid')
  return [
    ...(now < settledFrom(stored) ? (['time'] as const) : []),
    ...(isFirst && gross === note.value ? (['amount'] as const) : []),
  ]
}

/** A balance that ends within this time is shown with a warning. */
const ENDING_SECONDS = 5n * 86_400n

/** True if people should be warned that the balance ends. */
export const isEnding = (endsAt: bigint, now: bigint): boolean =>
  now < endsAt && endsAt - now <= ENDING_SECONDS
