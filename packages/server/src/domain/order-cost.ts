import { amount, sumOf, type Amount, type PriceStep } from '@sotto/protocol'
import { settlementPriority } from './settlement-cost.ts'

/** 'yes' if a block has the attempt, even if it failed. Only such an attempt has cost money. */
export type InBlock = 'yes' | 'no' | 'unknown'

/** The limit of the cost of one order's attempts. */
export interface OrderCostLimits {
  /** The step that every transaction may offer. */
  readonly floor: PriceStep
  /** Lamports of priority fee. */
  readonly orderMax: Amount
}

/**
 * Lamports of priority fee that an order's attempts may have cost, including the attempt that has just died. In doubt
 * the cost of that attempt is counted.
 */
export const costAfter = (before: Amount, step: PriceStep, inBlock: InBlock): Amount =>
  inBlock === 'no' ? before : sumOf([before, settlementPriority(step)])

/** True if an order's dead attempts may raise the price further. */
export const mayRaise = (cost: Amount, { orderMax }: OrderCostLimits): boolean => cost < orderMax

/**
 * True if an order may make an attempt that offers the price of a step. The least price is always allowed, because a
 * note without further attempts couldn't be paid. At this price all tries together cost little.
 */
export const mayOffer = (
  cost: Amount,
  step: PriceStep,
  { floor, orderMax }: OrderCostLimits,
): boolean => step <= floor || sumOf([cost, settlementPriority(step)]) <= orderMax

/** The cost of an order without attempts. */
export const NO_COST: Amount = amount(0n)
