import { amount, type Amount } from '../units.ts'

/**
 * The only compute unit prices that our transactions offer, in micro-lamports: 0 and powers of four. The list is short,
 * so that many transactions share each price. Then an observer can't recognise a transaction by its price.
 */
export const UNIT_PRICES = [0n, 1_024n, 4_096n, 16_384n, 65_536n, 262_144n, 1_048_576n] as const

/** An index of `UNIT_PRICES`. */
export type PriceStep = number

/** The lowest and the highest step that may be offered. */
export interface PriceBounds {
  readonly floor: PriceStep
  readonly ceiling: PriceStep
}

export const STEP_MAX: PriceStep = UNIT_PRICES.length - 1

/** The step within the bounds that is nearest to the given step. */
export const boundStep = (step: PriceStep, { floor, ceiling }: PriceBounds): PriceStep =>
  Math.max(floor, Math.min(step, ceiling))

/** The price of a step, in micro-lamports per compute unit. */
export const unitPriceOf = (step: PriceStep): bigint =>
  UNIT_PRICES[Math.max(0, Math.min(step, STEP_MAX))] ?? 0n

/** The lowest step whose price is at least the given price; the highest step if there is none. */
export function stepAtLeast(microLamports: bigint): PriceStep {
  const step = UNIT_PRICES.findIndex((price) => price >= microLamports)
  return step < 0 ? STEP_MAX : step
}

/**
 * The highest step at which the priority fee of a transaction with this many compute units is at most these lamports.
 */
export function stepAtMost(lamports: Amount, units: bigint): PriceStep {
  const step = UNIT_PRICES.findLastIndex((price) => priorityLamports(price, units) <= lamports)
  return Math.max(0, step)
}

/** The fee of one signature, without the priority fee, in lamports. */
export const LAMPORTS_PER_SIGNATURE = 5_000n

const MICRO = 1_000_000n

/** The priority fee in lamports, rounded up as the chain rounds it. */
export const priorityLamports = (microLamports: bigint, units: bigint): Amount =>
  amount((microLamports * units + MICRO - 1n) / MICRO)

/**
 * A percentile: the smallest price for which at least `percent` percent of the prices are at most this price. It is 0
 * if there are no prices.
 */
export function percentileOf(prices: readonly bigint[], percent: number): bigint {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const rank = Math.ceil((sorted.length * percent) / 100)
  return sorted[Math.max(0, rank - 1)] ?? 0n
}
