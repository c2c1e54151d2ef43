import { type Step, sumsOf, targetsOf } from './step.ts'

/** A single step, or several quotients that share one inversion, because none uses another. */
export type Group = Step | (Step & { kind: 'quotient' | 'inverse' })[]

/**
 * Orders the steps so that independent quotients are neighbours and form as few groups as possible. A step's level is
 * the length of the longest chain of quotients that the step needs.
 */
export function groupQuotients(steps: readonly Step[]): Group[] {
  const levels = new Map<number, number>()
  const quotients: (Step & { kind: 'quotient' | 'inverse' })[][] = []
  const others: Step[][] = []
  for (const step of steps) {
    const wires = sumsOf(step).flatMap((sum) => [...sum.keys()])
    const level = wires.reduce((most, wire) => Math.max(most, levels.get(wire) ?? 0), 0)
    const isQuotient = step.kind === 'quotient' || step.kind === 'inverse'
    for (const wire of targetsOf(step)) levels.set(wire, isQuotient ? level + 1 : level)
    if (isQuotient) (quotients[level + 1] ??= []).push(step)
    else (others[level] ??= []).push(step)
  }
  const count = Math.max(quotients.length, others.length)
  return Array.from({ length: count }, (_, level): Group[] => [
    ...(quotients[level] === undefined ? [] : [quotients[level]]),
    ...(others[level] ?? []),
  ]).flat(1)
}
