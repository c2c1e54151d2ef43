import type { Amount } from '@sotto/protocol'
import { greatestInput, leastInput, outputOf, type FeeTerms, type Ratio } from './fees.ts'

export type Mode = 'exact_in' | 'exact_out'

/**
 * The bounds of an amount: of the input in base units of the source, of output and value in those of the destination.
 */
export interface Bounds {
  /** Greatest input: the lesser of the operator's limit and the program's. */
  readonly inputMax: Amount
  /** Least output that can be paid. For the native coin, it is the rent minimum of a wallet. */
  readonly outputMin: Amount
  /** Greatest value of a swap's note: the free inventory, but at most the unused part of the asset's cap. */
  readonly valueMax?: Amount | undefined
}

export interface Limits {
  readonly min: bigint
  readonly max: bigint
}

/**
 * The current bounds of a request's `amount`: of the input for exact_in, of the output for exact_out. If nothing can be
 * transferred, `max` is less than `min`.
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
