import { type Combination, type Constraint, type Rank1System, FIELD } from './r1cs.ts'

/**
 * The wires that the constraints leave open once all inputs are given: none, for a circuit in which
 * nobody can choose an intermediate value.
 *
 * Works forwards from the inputs. A constraint whose only unknown wire stands in it once, in `c`,
 * fixes that wire. A sum x = b0 + 2·b1 + 4·b2 ... of wires that must be bits fixes all of them, where x
 * is known and the sum is too short to wrap around the field. What neither rule reaches is reported
 * as open, so the answer errs only towards finding too much. Full simplification (`--O2`) reorders the
 * equations so that this walk finds no way through them; give it a circuit compiled with `--O1`.
 */
export function findOpenWires(system: Rank1System): number[] {
  const known = new Set<number>()
  const inputs = system.publicInputs + system.privateInputs
  for (let wire = 0; wire <= inputs; wire++) known.add(wire)
  const bits = findBits(system)
  let pending = system.constraints
  for (let before = -1; before !== known.size;) {
    before = known.size
    pending = pending.filter((constraint) => {
      const determined = determinedBy(constraint, known, bits)
      for (const wire of determined) known.add(wire)
      return determined.length === 0
    })
  }
  return Array.from({ length: system.wires }, (_, wire) => wire).filter((wire) => !known.has(wire))
}

const unknownIn = (combination: Combination, known: ReadonlySet<number>) =>
  [...combination.keys()].filter((wire) => !known.has(wire))

/** Wires w with a constraint of their own that says w · (w - 1) = 0. */
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

function determinedBy(
  { a, b, c }: Constraint,
  known: ReadonlySet<number>,
  bits: ReadonlySet<number>,
): number[] {
  if ([a, b].some((sum) => unknownIn(sum, known).length > 0)) return []
  const unknown = unknownIn(c, known)
  const areBits = unknown.every((wire) => bits.has(wire)) && arePowersOfTwo(c, unknown)
  return unknown.length === 1 || areBits ? unknown : []
}

/** True if the wires carry distinct powers of two below 2^64, so that the bits are those of one number. */
function arePowersOfTwo(sum: Combination, wires: number[]): boolean {
  const magnitudes = wires.map((wire) => {
    const coefficient = sum.get(wire)!
    return coefficient > FIELD / 2n ? FIELD - coefficient : coefficient
  })
  const isPower = (value: bigint) => value < 2n ** 64n && (value & (value - 1n)) === 0n
  return magnitudes.every(isPower) && new Set(magnitudes).size === magnitudes.length
}
