import { amount, sumOf, type Amount, type PriceStep } from '@sotto/protocol'
import { settlementPriority } from './settlement-cost.ts'

/** Whether a block has an attempt, even a failed one: only then it has cost something. */
export type InBlock = 'yes' | 'no' | 'unknown'

/** The bound of what one order's attempts may cost. */
export interface OrderCostLimits {
  /** The step that every transaction may offer. */
  readonly floor: PriceStep
  /** Lamports of priority fee. */
  readonly orderMax: Amount
}

/** Lamports of priority fee that an order's attempts may have cost, after another one died. In doubt it counts. */
export const costAfter = (before: Amount, step: PriceStep, inBlock: InBlock): Amount =>
  inBlock === 'no' ? before : sumOf([before, settlementPriority(step)])

/** True if an order's deaths may raise the price further. */
export const mayRaise = (cost: Amount, { orderMax }: OrderCostLimits): boolean => cost < orderMax

/**
 * True if an order may make an attempt that offers the price of a step. The least price is always allowed: a note that
 * is never attempted again could not be paid, and at that price all tries together cost little.
 */
export const mayOffer = (
  cost: Amount,
  step: PriceStep,
  { floor, orderMax }: OrderCostLimits,
): boolean => step <= floor || sumOf([cost, settlementPriority(step)]) <= orderMax

/** The cost of an order without attempts. */
export const NO_COST: Amount = amount(0n)
