import { least, type Amount } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/**
 * The time over which the present rate is measured. Over a shorter time, a single large swap could determine the rate.
 */
export const RATE_HOURS = 24n
export const RATE_SECONDS = RATE_HOURS * 3_600n

/**
 * The reported numbers of hours. They are coarse, because the present rate is only an average over a day. The last step
 * also means that the inventory doesn't shrink.
 */
export const RUNWAY_STEPS = [0, 1, 3, 6, 12, 24, 48, 96, 168, 336, 720] as const
const LAST = 720n

/** An inventory, and what swaps have paid out of it and into it within `RATE_HOURS`; all in base units. */
export interface InventoryUse {
  readonly inventory: Amount
  readonly paidOut: bigint
  readonly takenIn: bigint
}

/**
 * Hours until swaps have used up an inventory at their net rate of the last day, rounded down to a step. Swaps in the
 * other direction refill the inventory, so they count against those that pay out. An empty inventory has 0 hours,
 * because it pays no swap and so has no rate.
 */
export function hoursUntilDry({ inventory, paidOut, takenIn }: InventoryUse): number {
  if (inventory <= 0n) return 0
  const net = paidOut - takenIn
  const hours = wholeNumber(net <= 0n ? LAST : least((inventory * RATE_HOURS) / net, LAST))
  return RUNWAY_STEPS.findLast((step) => step <= hours) ?? 0
}
