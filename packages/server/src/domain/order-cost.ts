import { amount, sumOf, type Amount, type PriceStep } from '@sotto/protocol'
import { settlementPriority } from './settlement-cost.ts'

/**
 * Whether a block contains the attempt, even as a failed transaction. An attempt costs money only if a block contains
 * it.
 */
export type InBlock = 'yes' | 'no' | 'unknown'

/** The limits of the cost of one order's attempts. */
export interface OrderCostLimits {
  /** The lowest price step. Every transaction may offer it. */
  readonly floor: PriceStep
  /** Maximum priority fee of the order's attempts, in lamports. */
  readonly orderMax: Amount
}

/**
 * Lamports of priority fee that an order's attempts may have cost, including the newest attempt, which is dead: it
 * can't land any more. If it is unknown whether a block has that attempt, its cost is counted.
 */
export const costAfter = (before: Amount, step: PriceStep, inBlock: InBlock): Amount =>
  inBlock === 'no' ? before : sumOf([before, settlementPriority(step)])

/** True if the order's dead attempts may still raise the price. */
export const mayRaise = (cost: Amount, { orderMax }: OrderCostLimits): boolean => cost < orderMax

/**
 * True if an order may make an attempt that offers the price of this step. The lowest price is always allowed, because
 * without further attempts the note couldn't be paid. At the lowest price, all attempts together cost little.
 */
export const mayOffer = (
  cost: Amount,
  step: PriceStep,
  { floor, orderMax }: OrderCostLimits,
): boolean => step <= floor || sumOf([cost, settlementPriority(step)]) <= orderMax

/** The cost of an order without attempts. */
export const NO_COST: Amount = amount(0n)
