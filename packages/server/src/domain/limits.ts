import type { Amount } from '@sotto/protocol'
import { greatestInput, leastInput, outputOf, type FeeTerms, type Ratio } from './fees.ts'

export type Mode = 'exact_in' | 'exact_out'

/**
 * The limits of a transfer's amounts. The input is in base units of the source. The output and the value are in base
 * units of the destination.
 */
export interface Bounds {
  /** The highest input: the operator's limit or the program's limit, whichever is lower. */
  readonly inputMax: Amount
  /** The lowest output that can be paid. For the native coin, it is the rent minimum of a wallet. */
  readonly outputMin: Amount
  /**
   * The highest value of a swap's note: the lowest of the free inventory, the unused part of the asset's cap, and the
   * unused part of the account's share.
   */
  readonly valueMax?: Amount | undefined
}

export interface Limits {
  readonly min: bigint
  readonly max: bigint
}

/**
 * The current limits of a request's `amount`. For `exact_in` they limit the input, and for `exact_out` they limit the
 * output. If nothing can be transferred, `max` is less than `min`.
 */
export function limitsOf(mode: Mode, bounds: Bounds, terms: FeeTerms, rate: Ratio): Limits {
  const { inputMax, outputMin, valueMax } = bounds
  const input = {
    min: leastInput(outputMin, terms, rate),
    max: least(inputMax, valueMax === undefined ? inputMax : greatestInput(valueMax, terms, rate)),
  }
  if (mode === 'exact_in') return input
  const out = outputOf(input.max, terms, rate)
  return { min: outputMin, max: out < 0n ? 0n : out }
}

const least = (left: bigint, right: bigint): bigint => (left < right ? left : right)
