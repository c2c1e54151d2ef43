/** If there are at most this many values, every subset is tried. */
const WHOLE_SEARCH = 26
/** If there are at most this many values, subsets of up to four values are tried. */
const PAIR_SEARCH = 300
/** The search stops if it finds more subsets than this. With so many subsets, the true subset can't be identified. */
const FOUND_MAX = 200

export interface SubsetSums {
  /** The subsets that were found. Each subset is a list of its values' positions. */
  readonly found: readonly (readonly number[])[]
  /** False if only subsets of up to four values were tried. */
  readonly isWhole: boolean
  /** The expected number of subsets with the required sum if the values were random. */
  readonly byChance: number
}

/**
 * Returns the subsets of `values` whose sum is between `sum - slack` and `sum`. `sum` must be positive. Returns
 * undefined if there are too many values, or more than 200 subsets with a sum in this range.
 */
export function subsetsOfSum(
  values: readonly bigint[],
  sum: bigint,
  slack = 0n,
): SubsetSums | undefined {
  const isWhole = values.length <= WHOLE_SEARCH
  if (values.length > PAIR_SEARCH) return undefined
  const range = { least: sum - slack, most: sum }
  const found = isWhole ? searchAll(values, range) : searchSmall(values, range)
  if (found.length > FOUND_MAX) return undefined
  const tried = isWhole ? 2 ** values.length : chooseUpToFour(values.length)
  const step = [...values, sum].reduce(greatestDivisor)
  const fitting = ratio(slack + step, step)
  return { found, isWhole, byChance: (tried * fitting) / ratio(sum, step) }
}

interface Range {
  readonly least: bigint
  readonly most: bigint
}

/** Returns the entries whose sum is in a range. The entries must be in ascending order of their sums. */
function within<T extends readonly [bigint, unknown]>(
  sorted: readonly T[],
  { least, most }: Range,
): T[] {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.[0] ?? 0n) < least) low = middle + 1
    else high = middle
  }
  const found: T[] = []
  for (let at = low; at < sorted.length && found.length <= FOUND_MAX; at += 1) {
    const entry = sorted[at]
    if (entry === undefined || entry[0] > most) break
    found.push(entry)
  }
  return found
}

const bySum = ([left]: readonly [bigint, unknown], [right]: readonly [bigint, unknown]): number =>
  left < right ? -1 : left > right ? 1 : 0

const less = ({ least, most }: Range, part: bigint): Range => ({
  least: least - part,
  most: most - part,
})

export const greatestDivisor = (left: bigint, right: bigint): bigint =>
  right === 0n ? left : greatestDivisor(right, left % right)

/** The quotient of two amounts, rounded down. A quotient above 2^53 loses its last digits. */
export function ratio(dividend: bigint, divisor: bigint): number {
  return JSON.parse(`${dividend / (divisor === 0n ? 1n : divisor)}`) as number
}

function chooseUpToFour(count: number): number {
  let [ways, all] = [1, 1]
  for (let size = 1; size <= 4; size += 1) {
    ways = (ways * (count - size + 1)) / size
    all += ways
  }
  return all
}

/**
 * The sums of all subsets of some values. A sum's position in the list is a bit mask. Each bit stands for one value of
 * the subset.
 */
function sumsOf(values: readonly bigint[]): bigint[] {
  const sums = [0n]
  for (const value of values) for (const sum of [...sums]) sums.push(sum + value)
  return sums
}

const bitsOf = (mask: number, first: number): number[] => {
  const bits: number[] = []
  for (let bit = 0; mask >> bit > 0; bit += 1) if ((mask >> bit) & 1) bits.push(first + bit)
  return bits
}

/**
 * Divides the values into two halves. Combines each subset of one half with every subset of the other half that
 * completes the sum.
 */
function searchAll(values: readonly bigint[], range: Range): number[][] {
  const half = values.length >> 1
  const right = sumsOf(values.slice(half))
    .map((part, mask) => [part, mask] as const)
    .sort(bySum)
  const found: number[][] = []
  for (const [mask, part] of sumsOf(values.slice(0, half)).entries()) {
    for (const [, other] of within(right, less(range, part))) {
      found.push([...bitsOf(mask, 0), ...bitsOf(other, half)])
      if (found.length > FOUND_MAX) return found
    }
  }
  return found
}

function searchSmall(values: readonly bigint[], range: Range): number[][] {
  const pairs: (readonly [bigint, readonly [number, number]])[] = []
  for (const [right, value] of values.entries()) {
    for (let left = 0; left < right; left += 1) {
      pairs.push([(values[left] ?? 0n) + value, [left, right]])
    }
  }
  pairs.sort(bySum)
  const found: number[][] = []
  const complete = (chosen: readonly number[], part: bigint): void => {
    const last = chosen.at(-1) ?? -1
    for (const [, [left, right]] of within(pairs, less(range, part))) {
      if (left > last && found.length <= FOUND_MAX) found.push([...chosen, left, right])
    }
  }
  complete([], 0n)
  for (const [one, value] of values.entries()) {
    if (range.least <= value && value <= range.most) found.push([one])
    complete([one], value)
    for (let other = one + 1; other < values.length; other += 1) {
      if (found.length > FOUND_MAX) return found
      complete([one, other], value + (values[other] ?? 0n))
    }
  }
  return found
}
