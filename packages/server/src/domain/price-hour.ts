import { boundStep, stepAtLeast, type PriceBounds, type PriceStep } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

const HOUR_SECONDS = 3_600n
/**
 * Maximum number of steps by which recent prices raise the service's price in an hour. The limit is needed because an
 * attacker can drive up these recent prices with cheap transactions that only write-lock the service's accounts.
 */
const RISE_MAX = 2
/**
 * Maximum number of steps by which the price falls in an hour. The limit is needed because recent prices may be low
 * only because transactions aren't landing.
 */
const FALL_MAX = 1

/** The price that all transactions of the service offer, and the hour for which it was computed from recent prices. */
export interface PriceHour {
  /** Hours since 1970 by the chain's clock, which all workers share. */
  readonly hour: number
  readonly step: PriceStep
}

export const hourOfPrice = (unixSeconds: bigint): number => wholeNumber(unixSeconds / HOUR_SECONDS)

/**
 * True if recent prices must be read again, because the hour of the last reading is over. A stored hour that is more
 * than one hour ahead came from a node's false clock, so it counts as over too.
 */
export function isPriceOld(price: PriceHour | undefined, hour: number): boolean {
  return price === undefined || price.hour < hour || price.hour > hour + 1
}

/**
 * The price of a new hour, from the previous price and a recent price. `recentPrice` is in micro-lamports per compute
 * unit.
 */
export function nextPriceHour(
  before: PriceHour | undefined,
  hour: number,
  recentPrice: bigint,
  bounds: PriceBounds,
): PriceHour {
  const last = boundStep(before?.step ?? bounds.floor, bounds)
  const recent = stepAtLeast(recentPrice)
  const step = Math.max(last - FALL_MAX, Math.min(recent, last + RISE_MAX))
  return { hour, step: boundStep(step, bounds) }
}

/** Number of times that one order may raise the price: enough to reach the highest step twice. */
const RAISES_PER_ORDER = 12

/**
 * The step to which a dead attempt raises the price; undefined if the price isn't raised. `number` is the attempt's
 * number among the order's attempts, counted from 1.
 */
export function stepAfterDeath(
  attempt: { readonly step: PriceStep; readonly number: number },
  { ceiling }: PriceBounds,
): PriceStep | undefined {
  if (attempt.number > RAISES_PER_ORDER || attempt.step >= ceiling) return undefined
  return attempt.step + 1
}
