import type { Combination } from '../r1cs.ts'

/**
 * One step of a program that computes a witness. A step assigns wires or checks values, and uses only wires that
 * earlier steps assigned.
 */
export type Step =
  /** Assigns a · b + rest. */
  | { kind: 'product'; target: number; a: Combination; b: Combination; rest: Combination }
  /**
   * Assigns numerator / divisor + rest. If the divisor is zero, the numerator must be zero too, and the quotient is
   * zero.
   */
  | {
      kind: 'quotient'
      target: number
      numerator: Combination
      divisor: Combination
      rest: Combination
    }
  /** Assigns number / divisor. If the divisor is zero, the quotient is zero. */
  | { kind: 'inverse'; target: number; numerator: Combination; divisor: Combination }
  /** Assigns bits of a sum to wires. All other bits of the sum must be zero. */
  | { kind: 'bits'; targets: { wire: number; bit: number }[]; sum: Combination }
  /** Requires a · b = c. */
  | { kind: 'check'; a: Combination; b: Combination; c: Combination }

/** The combinations that a step reads. */
export function sumsOf(step: Step): Combination[] {
  if (step.kind === 'product') return [step.a, step.b, step.rest]
  if (step.kind === 'quotient') return [step.numerator, step.divisor, step.rest]
  if (step.kind === 'inverse') return [step.numerator, step.divisor]
  return step.kind === 'bits' ? [step.sum] : [step.a, step.b, step.c]
}

/** A copy of the step in which `map` has replaced every combination. */
export function mapSums(step: Step, map: (sum: Combination) => Combination): Step {
  if (step.kind === 'bits') return { ...step, sum: map(step.sum) }
  if (step.kind === 'check') return { ...step, a: map(step.a), b: map(step.b), c: map(step.c) }
  if (step.kind === 'product') {
    return { ...step, a: map(step.a), b: map(step.b), rest: map(step.rest) }
  }
  const parts = { numerator: map(step.numerator), divisor: map(step.divisor) }
  return step.kind === 'inverse'
    ? { ...step, ...parts }
    : { ...step, ...parts, rest: map(step.rest) }
}

/** The wires that a step assigns. */
export function targetsOf(step: Step): number[] {
  if (step.kind === 'check') return []
  return step.kind === 'bits' ? step.targets.map(({ wire }) => wire) : [step.target]
}
