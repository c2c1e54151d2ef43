import { least, type Amount } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/**
 * The length of the period over which the net rate of swaps is measured. In a shorter period, a single large swap could
 * determine the rate.
 */
export const RATE_HOURS = 24n
export const RATE_SECONDS = RATE_HOURS * 3_600n

/**
 * The numbers of hours that can be reported. They are coarse, because the rate is only an average over a day. The
 * highest number is also reported if the inventory doesn't shrink.
 */
export const RUNWAY_STEPS = [0, 1, 3, 6, 12, 24, 48, 96, 168, 336, 720] as const
const LAST = 720n

/**
 * An inventory, the sum that swaps have paid out of it, and the sum that swaps have added to it within `RATE_HOURS`.
 * All are in base units.
 */
export interface InventoryUse {
  readonly inventory: Amount
  readonly paidOut: bigint
  readonly takenIn: bigint
}

/**
 * Hours until swaps have used up an inventory at their net rate of the last day, rounded down to a value of
 * `RUNWAY_STEPS`. Swaps in the other direction refill the inventory, so they are subtracted. The result for an empty
 * inventory is 0. Such an inventory pays no swaps, so its rate can't be measured.
 */
export function hoursUntilDry({ inventory, paidOut, takenIn }: InventoryUse): number {
  if (inventory <= 0n) return 0
  const net = paidOut - takenIn
  const hours = wholeNumber(net <= 0n ? LAST : least((inventory * RATE_HOURS) / net, LAST))
  return RUNWAY_STEPS.findLast((step) => step <= hours) ?? 0
}
