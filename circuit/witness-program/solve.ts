import { type Combination, type Constraint, type Rank1System, mod } from '../r1cs.ts'
import { ZERO, coefficientOf, inverseOf, scale, without } from './combinations.ts'
import { type Step, targetsOf } from './step.ts'

/** The state of a system while it is solved. */
interface Progress {
  readonly known: Set<number>
  /** Wires w with a constraint w · (w - 1) = 0. */
  readonly bits: ReadonlySet<number>
  /** The number of constraints that use each wire. */
  readonly uses: readonly number[]
}

/**
 * Returns the step by which a constraint assigns its unknown wires. Undefined if the rule doesn't fit the constraint,
 * or can't be applied yet.
 */
type Rule = (constraint: Constraint, progress: Progress) => Step | undefined

/**
 * Returns the steps that compute every wire from the inputs. Most steps satisfy a constraint by assigning its wires.
 * Other steps check the remaining constraints. A division assigns a wire only if no other rule does. circom's own
 * computation does the same, so both compute the same values, even if a divisor is zero.
 *
 * The system must be unsimplified (`--O0`), because simplified constraints can't be solved one by one.
 *
 * @throws Error if the rules can't assign every wire.
 */
export function solveSystem(system: Rank1System): Step[] {
  const progress = startProgress(system)
  const { known } = progress
  const users = usersOf(system)
  const steps: Step[] = []
  const solved = new Set<Constraint>()
  const take = (constraint: Constraint, step: Step, pending: Set<Constraint>) => {
    steps.push(step)
    solved.add(constraint)
    for (const wire of targetsOf(step)) {
      known.add(wire)
      for (const user of users[wire] ?? []) if (!solved.has(user)) pending.add(user)
    }
    // A step that assigns bits also satisfies the bit constraints of its wires. The constraint of an inverse stays
    // open, because it also assigns the result later.
    if (step.kind === 'bits') markBits(step.targets, users, solved)
    if (step.kind === 'inverse') {
      solved.delete(constraint)
      pending.add(constraint)
    }
  }
  const pending = new Set(system.constraints)
  const deferred = new Set<Constraint>()
  while (pending.size + deferred.size > 0) {
    for (const constraint of pending) {
      pending.delete(constraint)
      if (solved.has(constraint)) continue
      const step = assignProduct(constraint, progress) ?? assignBits(constraint, progress)
      const found = step ?? assignInverse(constraint, progress)
      if (found !== undefined) take(constraint, found, pending)
      else deferred.add(constraint)
    }
    for (const constraint of deferred) {
      deferred.delete(constraint)
      const step = solved.has(constraint) ? undefined : assignQuotient(constraint, progress)
      if (step === undefined) continue
      take(constraint, step, pending)
      break
    }
  }
  if (known.size !== system.wires) {
    throw new Error(`${system.wires - known.size} wires cannot be computed step by step.`)
  }
  const open = system.constraints.filter((constraint) => !solved.has(constraint))
  return [...steps, ...open.map(({ a, b, c }): Step => ({ kind: 'check', a, b, c }))]
}

function startProgress({ constraints, wires, publicInputs, privateInputs }: Rank1System): Progress {
  const uses = new Array<number>(wires).fill(0)
  const bits = new Set<number>()
  for (const constraint of constraints) {
    for (const wire of wiresOf(constraint)) uses[wire] = (uses[wire] ?? 0) + 1
    const bit = bitOf(constraint)
    if (bit !== undefined) bits.add(bit)
  }
  const inputs = Array.from({ length: publicInputs + privateInputs }, (_, at) => at + 1)
  return { known: new Set([0, ...inputs]), bits, uses }
}

const wiresOf = ({ a, b, c }: Constraint) => new Set([...a.keys(), ...b.keys(), ...c.keys()])

function usersOf({ constraints, wires }: Rank1System): Constraint[][] {
  const users = Array.from({ length: wires }, (): Constraint[] => [])
  for (const constraint of constraints) {
    for (const wire of wiresOf(constraint)) users[wire]?.push(constraint)
  }
  return users
}

function markBits(
  targets: { wire: number }[],
  users: Constraint[][],
  solved: Set<Constraint>,
): void {
  for (const { wire } of targets) {
    for (const user of users[wire] ?? []) if (bitOf(user) === wire) solved.add(user)
  }
}

/** The wire of a constraint w · (w - 1) = 0. */
function bitOf({ a, b, c }: Constraint): number | undefined {
  const [single, other] = a.size === 1 ? [a, b] : [b, a]
  const [wire] = [...single.keys()]
  if (wire === undefined || wire === 0 || single.size !== 1 || c.size !== 0) return undefined
  const isOneMinus = other.size === 2 && other.has(0) && other.has(wire)
  return isOneMinus && mod(coefficientOf(other, 0) + coefficientOf(other, wire)) === 0n
    ? wire
    : undefined
}

const unknownIn = (sum: Combination, known: ReadonlySet<number>) =>
  [...sum.keys()].filter((wire) => !known.has(wire))

/** If a wire occurs only once, in c, its value follows from the product and the other terms of c. */
const assignProduct: Rule = ({ a, b, c }, { known }) => {
  const [target, ...others] = unknownIn(c, known)
  if (target === undefined || others.length > 0) return undefined
  if (unknownIn(a, known).length + unknownIn(b, known).length > 0) return undefined
  const factor = inverseOf(coefficientOf(c, target))
  return {
    kind: 'product',
    target,
    a: scale(a, factor),
    b,
    rest: scale(without(c, target), -factor),
  }
}

/**
 * Matches a sum in which the unknown wires are bits, with distinct powers of two as coefficients. The other terms give
 * the number whose bits these wires are.
 */
const assignBits: Rule = ({ a, b, c }, { known, bits }) => {
  const unknown = unknownIn(c, known)
  if (a.size > 0 || b.size > 0 || unknown.length < 2) return undefined
  if (!unknown.every((wire) => bits.has(wire))) return undefined
  for (const sign of [1n, -1n]) {
    const targets = unknown.map((wire) => ({
      wire,
      bit: exponentOf(mod(coefficientOf(c, wire) * sign)),
    }))
    const places = new Set(targets.map(({ bit }) => bit))
    if (places.has(-1) || places.size < targets.length) continue
    const rest = [...c].filter(([wire]) => known.has(wire))
    return { kind: 'bits', targets, sum: scale(new Map(rest), -sign) }
  }
  return undefined
}

/** The exponent of a power of two; -1 for any other number. */
function exponentOf(value: bigint): number {
  const isPower = value > 0n && (value & (value - 1n)) === 0n
  return isPower ? value.toString(2).length - 1 : -1
}

/**
 * Matches the first constraint of circomlib's IsZero: input · quotient = 1 - result. No other constraint uses the
 * quotient. The step assigns the inverse of the input to the quotient. With this quotient, the result is 1 if the input
 * is zero, and 0 otherwise.
 */
const assignInverse: Rule = ({ a, b, c }, { known, uses }) => {
  const [target, ...others] = unknownIn(b, known)
  const [result] = unknownIn(c, known)
  if (target === undefined || others.length > 0 || result === undefined) return undefined
  if (uses[target] !== 1 || b.size !== 1 || b.get(target) !== 1n) return undefined
  const isOneMinus =
    c.size === 2 && c.has(0) && mod(coefficientOf(c, 0) + coefficientOf(c, result)) === 0n
  if (!isOneMinus || unknownIn(a, known).length > 0) return undefined
  return { kind: 'inverse', target, numerator: new Map([[0, coefficientOf(c, 0)]]), divisor: a }
}

/**
 * If a wire occurs only once, in a factor, its value is a quotient. A product that must be zero assigns no wire: other
 * constraints determine which of its factors is zero.
 */
const assignQuotient: Rule = ({ a, b, c }, { known }) => {
  if (c.size === 0) return undefined
  const [inA, inB] = [unknownIn(a, known), unknownIn(b, known)]
  const [target, ...others] = [...inA, ...inB]
  if (target === undefined || others.length > 0 || unknownIn(c, known).length > 0) return undefined
  const [sum, divisor] = inA.length === 1 ? [a, b] : [b, a]
  const factor = inverseOf(coefficientOf(sum, target))
  const rest = scale(without(sum, target), -factor)
  return { kind: 'quotient', target, numerator: scale(c, factor), divisor, rest }
}

/** A step that assigns a sum. */
export const assignSum = (target: number, sum: Combination): Step => ({
  kind: 'product',
  target,
  a: ZERO,
  b: ZERO,
  rest: sum,
})
