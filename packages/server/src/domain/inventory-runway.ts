import { least, type Amount } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/** The length of the longer period over which the net rate of swaps is measured. */
export const RATE_HOURS = 24n
export const RATE_SECONDS = RATE_HOURS * 3_600n

/**
 * The numbers of hours that can be reported. They are coarse, because the rate is only an average. The highest number
 * is also reported if the inventory doesn't shrink.
 */
export const RUNWAY_STEPS = [0, 1, 3, 6, 12, 24, 48, 96, 168, 336, 720] as const
const LAST = 720n
/**
 * The last hour's rate counts only if the inventory lasts for less than this number of hours at that rate. Without this
 * limit, a single swap of three percent of the inventory would raise the alert that the inventory lasts for less than
 * two days.
 */
const HOUR_COUNTS_BELOW = 12n
/**
 * Reservations are rounded down to whole quarters of the inventory. Exact sums would reveal orders that have no deposit
 * on the chain yet.
 */
const RESERVED_PARTS = 4n

/** The sum that swaps have paid out of an inventory in a period, and the sum that they have added to it. */
export interface Flow {
  readonly paidOut: bigint
  readonly takenIn: bigint
}

/** An inventory, the part that unpaid swaps reserve, and its flows. All are in base units. */
export interface InventoryUse {
  readonly inventory: Amount
  readonly reserved: Amount
  /** The flow of the last `RATE_HOURS`. */
  readonly day: Flow
  /** The flow of the last hour. */
  readonly hour: Flow
}

/**
 * Hours until swaps have used up the free part of an inventory, rounded down to a value of `RUNWAY_STEPS`. The rate is
 * the net rate of the last day. The last hour's rate is used instead if it is higher and would empty the inventory
 * within half a day. Swaps in the other direction refill the inventory, so they are subtracted. For an empty inventory,
 * the result is 0. Such an inventory pays no swaps, so its rate can't be measured.
 */
export function hoursUntilDry({ inventory, reserved, day, hour }: InventoryUse): number {
  if (inventory <= 0n) return 0
  const parts = least(RESERVED_PARTS, (RESERVED_PARTS * reserved) / inventory)
  const left = (inventory * (RESERVED_PARTS - parts)) / RESERVED_PARTS
  const byDay = hoursAt(left, day, RATE_HOURS)
  const byHour = hoursAt(left, hour, 1n)
  const hours = wholeNumber(byHour < HOUR_COUNTS_BELOW ? least(byDay, byHour) : byDay)
  return RUNWAY_STEPS.findLast((step) => step <= hours) ?? 0
}

/** Whole hours for which an amount lasts at a period's net rate. */
function hoursAt(left: bigint, { paidOut, takenIn }: Flow, periodHours: bigint): bigint {
  const net = paidOut - takenIn
  if (left === 0n) return 0n
  return net <= 0n ? LAST : least((left * periodHours) / net, LAST)
}
