/** A payment that may belong to a set. */
export interface Part {
  /** The payment's size as a whole number of steps. */
  readonly size: number
  /** The chance that the payment belongs to the set, as long as the set's sum isn't known. */
  readonly chance: number
}

export interface WeighedSets {
  /** The chance that the set's sum is in the range. */
  readonly evidence: number
  /** For each part: the chance that it belongs to the set, if the set's sum is in the range. */
  readonly chances: readonly number[]
}

/**
 * Weighs each set of parts whose sum is between `least` and `most` by its chance. Each part belongs to the set
 * independently of the others. Instead of listing the sets, the function makes a forward and a backward pass over the
 * sums. If no set has a sum in the range, the chances don't change.
 */
export function weighSets(parts: readonly Part[], least: number, most: number): WeighedSets {
  const forward = forwardSums(parts, most)
  // For each sum of the earlier parts: the chance that the later parts complete it to a sum in the range.
  let backward = new Float64Array(most + 1).fill(1, Math.max(0, least))
  let evidence = 0
  for (const [sum, chance] of (forward.at(-1) ?? new Float32Array()).entries()) {
    evidence += chance * (backward[sum] ?? 0)
  }
  const chances = parts.map(({ chance }) => chance)
  if (evidence <= 0) return { evidence: 0, chances }
  for (let place = parts.length - 1; place >= 0; place -= 1) {
    const { size, chance } = parts[place] ?? { size: 0, chance: 0 }
    const before = forward[place] ?? new Float32Array()
    const earlier = new Float64Array(most + 1)
    let inside = 0
    for (let sum = 0; sum <= most; sum += 1) {
      const taken = sum + size <= most ? chance * (backward[sum + size] ?? 0) : 0
      inside += (before[sum] ?? 0) * taken
      earlier[sum] = taken + (1 - chance) * (backward[sum] ?? 0)
    }
    chances[place] = Math.min(1, inside / evidence)
    backward = earlier
  }
  return { evidence, chances }
}

/** A payment that may belong to a set, and whether it can be the last payment of the set. */
export interface TimedPart extends Part {
  readonly isLast: boolean
}

/** Like `weighSets`, but counts only the sets with at least one part that can be the last one. */
export function weighSetsWithLast(
  parts: readonly TimedPart[],
  least: number,
  most: number,
): WeighedSets {
  const all = weighSets(parts, least, most)
  const none = parts.reduce((left, { isLast, chance }) => (isLast ? left * (1 - chance) : left), 1)
  if (parts.every(({ isLast }) => isLast) || all.evidence <= 0) return all
  // The sets without a part that can be the last are subtracted. To weigh only these sets, the parts that can be the
  // last are left out.
  const earlier = parts.filter(({ isLast }) => !isLast)
  const others = weighSets(earlier, least, most)
  const [before, evidence] = [none * others.evidence, all.evidence - none * others.evidence]
  if (evidence <= all.evidence * LEAST_LEFT) return { evidence: 0, chances: all.chances }
  let place = 0
  const chances = parts.map(({ isLast }, index) => {
    const wrong = isLast ? 0 : before * (others.chances[place++] ?? 0)
    const chance = ((all.chances[index] ?? 0) * all.evidence - wrong) / evidence
    return Math.min(1, Math.max(0, chance))
  })
  return { evidence, chances }
}

/** Below this share, the difference of two sums is only rounding error. */
const LEAST_LEFT = 1e-6

/** Row `n` has the chance of each sum from 0 to `most`, for a set that is drawn from the first `n` parts. */
function forwardSums(parts: readonly Part[], most: number): Float32Array[] {
  const rows = [new Float32Array(most + 1).fill(1, 0, 1)]
  for (const { size, chance } of parts) {
    const last = rows.at(-1) ?? new Float32Array()
    rows.push(
      last.map((without, sum) => {
        const taken = sum >= size ? chance * (last[sum - size] ?? 0) : 0
        return (1 - chance) * without + taken
      }),
    )
  }
  return rows
}
