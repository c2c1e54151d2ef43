import { WAIT_SPREAD_SECONDS, type UnixSeconds } from '@sotto/protocol'

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
