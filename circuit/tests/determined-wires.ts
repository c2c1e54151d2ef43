import {
  type Combination,
  type Constraint,
  type Rank1System,
  FIELD,
  evaluate,
  mod,
} from '../r1cs.ts'

/** Facts about the circuit that can't be derived from its constraints alone. */
export interface Justified {
  /** True for a wire that is the result of a division whose divisor can't be zero. */
  isQuotient: (wire: number) => boolean
  /**
   * True for a bit of a strict number. The circuit accepts the bits of a strict number only if their sum is below the
   * field's order.
   */
  isStrictBit: (wire: number) => boolean
}

/**
 * Returns the open wires: those whose values don't follow from the inputs by the constraints. A prover could choose
 * these values. For a sound circuit, the result is empty.
 *
 * Starting from the inputs, the function applies the rules below. It reports a wire as open if no rule reaches the
 * wire. So it may report too many wires, but never too few. The circuit must be compiled with `--O1`, because this
 * method fails for the equations that full simplification (`--O2`) produces.
 *
 * - A constraint fixes its only unknown wire if that wire occurs only once, in `c`.
 * - A known sum b0 + 2·b1 + 4·b2 ... of wires that must be bits fixes all of them if only one set of bits gives this
 *   sum. This is true if the sum is too short to wrap around the field, or if `justified` lists the bits.
 * - If a product's only unknown wire is a factor and the other factor isn't zero, the product fixes the unknown factor.
 *   If the other factor is a constant of the circuit, the witness shows its value. Otherwise, `justified` must list the
 *   wire.
 * - The two constraints of circomlib's IsZero fix its result. If the input is zero, they leave the quotient free. The
 *   quotient isn't reported, because no other constraint uses it.
 *
 * @param witness any valid witness; it shows the circuit's constants
 */
export function findOpenWires(
  system: Rank1System,
  witness: readonly bigint[],
  justified: Justified,
): number[] {
  const bits = findBits(system)
  const tests = findZeroTests(system)
  const isNotZero = (divisor: Combination) => evaluate(divisor, witness) !== 0n
  const known = new Set([0])
  walk(system, known, (constraint) =>
    determinedBy(constraint, known, {
      isBitSum: () => false,
      isDetermined: (_, divisor) => isNotZero(divisor),
    }),
  )
  const inputs = system.publicInputs + system.privateInputs
  for (let wire = 1; wire <= inputs; wire++) known.add(wire)
  walk(system, known, (constraint) => {
    const test = tests.get(constraint)
    if (test !== undefined) return unknownIn(test.input, known).length === 0 ? test.fixes : []
    return determinedBy(constraint, known, {
      isBitSum: (sum, wires) =>
        wires.every((wire) => bits.has(wire)) &&
        arePowersOfTwo(sum, wires, wires.every(justified.isStrictBit)),
      isDetermined: justified.isQuotient,
    })
  })
  return Array.from({ length: system.wires }, (_, wire) => wire).filter((wire) => !known.has(wire))
}

/** Applies a rule to every constraint. Applies it again whenever another wire of the constraint becomes known. */
function walk(
  { constraints, wires }: Rank1System,
  known: Set<number>,
  rule: (constraint: Constraint) => number[],
): void {
  const users = Array.from({ length: wires }, (): Constraint[] => [])
  for (const constraint of constraints) {
    for (const wire of wiresOf(constraint)) if (!known.has(wire)) users[wire]!.push(constraint)
  }
  const pending = new Set(constraints)
  for (const constraint of pending) {
    pending.delete(constraint)
    for (const wire of rule(constraint)) {
      if (known.has(wire)) continue
      known.add(wire)
      for (const user of users[wire]!) pending.add(user)
    }
  }
}

const wiresOf = ({ a, b, c }: Constraint) => new Set([...a.keys(), ...b.keys(), ...c.keys()])

/** The unknown wires of a sum, at most `most` + 1 of them. */
function unknownIn(sum: Combination, known: ReadonlySet<number>, most = Infinity): number[] {
  const unknown: number[] = []
  for (const wire of sum.keys()) {
    if (!known.has(wire)) unknown.push(wire)
    if (unknown.length > most) break
  }
  return unknown
}

/** Wires w with a constraint w · (w - 1) = 0. */
function findBits(system: Rank1System): Set<number> {
  const bits = new Set<number>()
  for (const { a, b, c } of system.constraints) {
    const [single, other] = a.size === 1 ? [a, b] : [b, a]
    const [wire] = [...single.keys()]
    if (wire === undefined || wire === 0 || single.size !== 1 || c.size !== 0) continue
    const isOneMinus = other.size === 2 && other.has(0) && other.has(wire)
    if (isOneMinus && (other.get(0)! + other.get(wire)!) % FIELD === 0n) bits.add(wire)
  }
  return bits
}

interface ZeroTest {
  input: Combination
  fixes: number[]
}

/**
 * Finds pairs of constraints as in circomlib's IsZero: input · quotient = 1 - result, and input · result = 0. No other
 * constraint may use the quotient. The map's keys are the first constraints.
 */
function findZeroTests({ constraints }: Rank1System): Map<Constraint, ZeroTest> {
  const uses = new Map<number, number>()
  for (const constraint of constraints) {
    for (const wire of wiresOf(constraint)) uses.set(wire, (uses.get(wire) ?? 0) + 1)
  }
  const zeroes = new Map<number, Combination[]>()
  for (const { a, b, c } of constraints) {
    if (c.size !== 0) continue
    for (const [one, other] of [[a, b] as const, [b, a] as const]) {
      const [result] = [...one.keys()]
      if (one.size === 1) zeroes.set(result!, [...(zeroes.get(result!) ?? []), other])
    }
  }
  const tests = new Map<Constraint, ZeroTest>()
  for (const constraint of constraints) {
    const { a, b, c } = constraint
    const [result] = [...c.keys()].filter((wire) => wire !== 0)
    if (c.size !== 2 || !c.has(0) || result === undefined) continue
    if ((c.get(0)! + c.get(result)!) % FIELD !== 0n) continue
    for (const [input, other] of [[a, b] as const, [b, a] as const]) {
      const [quotient] = [...other.keys()]
      const isOwn = other.size === 1 && uses.get(quotient!) === 1
      const isZeroed = zeroes.get(result)?.some((sum) => isMultiple(sum, input)) === true
      if (isOwn && isZeroed) tests.set(constraint, { input, fixes: [quotient!, result] })
    }
  }
  return tests
}

/** True if one sum equals the other times a nonzero number. */
function isMultiple(one: Combination, other: Combination): boolean {
  const [first] = [...one.keys()]
  if (one.size !== other.size || first === undefined || !other.has(first)) return false
  const [f, g] = [one.get(first)!, other.get(first)!]
  return [...one].every(([wire, factor]) => mod(factor * g - (other.get(wire) ?? 0n) * f) === 0n)
}

interface Rules {
  isBitSum: (sum: Combination, wires: number[]) => boolean
  isDetermined: (factor: number, divisor: Combination) => boolean
}

function determinedBy(
  { a, b, c }: Constraint,
  known: ReadonlySet<number>,
  { isBitSum, isDetermined }: Rules,
): number[] {
  const [inA, inB] = [unknownIn(a, known, 1), unknownIn(b, known, 1)]
  if (inA.length + inB.length > 1) return []
  const inC = unknownIn(c, known)
  if (inA.length + inB.length === 0) {
    return inC.length === 1 || isBitSum(c, inC) ? inC : []
  }
  if (inC.length !== 0) return []
  const [factor] = [...inA, ...inB]
  return isDetermined(factor!, inA.length === 1 ? b : a) ? [factor!] : []
}

/**
 * True if the wires' coefficients are distinct powers of two and the sum doesn't wrap around the field. In that case,
 * the sum's value determines the bits.
 */
function arePowersOfTwo(sum: Combination, wires: number[], isStrict: boolean): boolean {
  const magnitudes = wires.map((wire) => {
    const coefficient = sum.get(wire)!
    return coefficient > FIELD / 2n ? FIELD - coefficient : coefficient
  })
  // The 254 bits of a strict number are always unique. The test below would fail for them, because 2^253 exceeds half
  // of the field.
  if (isStrict) return wires.length === 254
  const isPower = (value: bigint) => (value & (value - 1n)) === 0n
  const total = magnitudes.reduce((all, magnitude) => all + magnitude, 0n)
  return (
    magnitudes.every(isPower) && new Set(magnitudes).size === magnitudes.length && total < FIELD
  )
}
