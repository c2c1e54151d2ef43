import { type Combination, FIELD, invert, mod } from '../r1cs.ts'

/** Zero: a sum without terms. */
export const ZERO: Combination = new Map()

/** The coefficient of a wire; zero if the wire isn't in the sum. */
export const coefficientOf = (sum: Combination, wire: number): bigint => sum.get(wire) ?? 0n

/** The sum multiplied by a number. */
export const scale = (sum: Combination, factor: bigint): Combination =>
  new Map([...sum].map(([wire, coefficient]) => [wire, mod(coefficient * factor)]))

/** The sum without the term of one wire. */
export const without = (sum: Combination, wire: number): Combination =>
  new Map([...sum].filter(([other]) => other !== wire))

/** Adds `factor` times another sum to a sum, in place. Terms that become zero are removed. */
export function addTo(sum: Combination, added: Combination, factor: bigint): void {
  for (const [wire, coefficient] of added) {
    const total = mod(coefficientOf(sum, wire) + coefficient * factor)
    if (total === 0n) sum.delete(wire)
    else sum.set(wire, total)
  }
}

const inverses = new Map([
  [1n, 1n],
  [FIELD - 1n, FIELD - 1n],
])

/**
 * The inverse of a coefficient. A circuit has few different coefficients, so the inverse of each is computed only once.
 */
export function inverseOf(coefficient: bigint): bigint {
  const inverse = inverses.get(coefficient) ?? invert(coefficient)
  inverses.set(coefficient, inverse)
  return inverse
}
