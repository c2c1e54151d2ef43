import type { Combination } from '../r1cs.ts'
import { addTo, coefficientOf } from './combinations.ts'
import { assignSum } from './solve.ts'
import { type Step, mapSums, sumsOf } from './step.ts'

/**
 * Shortens a program without changing the values of the wanted wires. A wire that is a multiple of another wire is
 * replaced by that wire. A product or an inverse whose result is unused is removed. Bit steps, quotients and checks
 * that can fail stay, because they can refuse an input.
 *
 * @param wanted the wires whose values are the witness
 */
export function simplifySteps(steps: readonly Step[], wanted: readonly number[]): Step[] {
  const replaced = new Map<number, Combination>()
  const outputs = new Set(wanted)
  const kept: Step[] = []
  for (const step of steps) {
    const simple = mapSums(step, (sum) => replaceWires(sum, replaced))
    const sum = asSum(simple)
    if (simple.kind !== 'product' || sum === undefined || sum.size > 1) kept.push(simple)
    else {
      const { target } = simple
      replaced.set(target, sum)
      if (outputs.has(target)) kept.push(assignSum(target, sum))
    }
  }
  return removeUnused(
    kept.filter((step) => !isTrue(step)),
    outputs,
  )
}

function replaceWires(sum: Combination, replaced: ReadonlyMap<number, Combination>): Combination {
  const result: Combination = new Map()
  for (const [wire, coefficient] of sum) {
    addTo(result, replaced.get(wire) ?? new Map([[wire, 1n]]), coefficient)
  }
  return result
}

/** The sum that a step assigns; undefined for any other step. */
function asSum(step: Step): Combination | undefined {
  if (step.kind !== 'product') return undefined
  const { a, b, rest } = step
  if (a.size === 0 || b.size === 0) return rest
  const [constant, other] = isConstant(a) ? [a, b] : [b, a]
  if (!isConstant(constant)) return undefined
  const sum = new Map(rest)
  addTo(sum, other, coefficientOf(constant, 0))
  return sum
}

const isConstant = (sum: Combination) => sum.size === 1 && sum.has(0)

/** True for a check that is true for any values. */
const isTrue = (step: Step) =>
  step.kind === 'check' && (step.a.size === 0 || step.b.size === 0) && step.c.size === 0

function removeUnused(steps: readonly Step[], outputs: ReadonlySet<number>): Step[] {
  const used = new Set(outputs)
  const kept = steps.toReversed().filter((step) => {
    const isFree = step.kind === 'product' || step.kind === 'inverse'
    if (isFree && !used.has(step.target)) return false
    for (const sum of sumsOf(step)) for (const wire of sum.keys()) used.add(wire)
    return true
  })
  return kept.toReversed()
}
