/** With at most this many values, every subset is tried. */
const WHOLE_SEARCH = 26
/** With at most this many values, subsets of up to four values are tried. */
const PAIR_SEARCH = 300
/** If there are more subsets than this, they don't help to identify one. */
const FOUND_MAX = 200

export interface SubsetSums {
  /** The subsets, as positions of their values. */
  readonly found: readonly (readonly number[])[]
  /** False if only subsets of up to four values were tried. */
  readonly isWhole: boolean
  /** How many subsets of random values of this size would have the sum by chance. */
  readonly byChance: number
}

/**
 * The subsets of `values` with exactly this sum, which is positive. Undefined if there are too many values to search,
 * or more than 200 such subsets.
 */
export function subsetsOfSum(values: readonly bigint[], sum: bigint): SubsetSums | undefined {
  const isWhole = values.length <= WHOLE_SEARCH
  if (values.length > PAIR_SEARCH) return undefined
  const found = isWhole ? searchAll(values, sum) : searchSmall(values, sum)
  if (found.length > FOUND_MAX) return undefined
  const tried = isWhole ? 2 ** values.length : chooseUpToFour(values.length)
  const step = [...values, sum].reduce(greatestDivisor)
  return { found, isWhole, byChance: tried / ratio(sum, step) }
}

const greatestDivisor = (left: bigint, right: bigint): bigint =>
  right === 0n ? left : greatestDivisor(right, left % right)

/** A quotient of two sums, only to tell how improbable a coincidence is. */
function ratio(dividend: bigint, divisor: bigint): number {
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

/** The sum of each subset of some values, by the subset's bits. */
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

/** Meets in the middle: every subset of one half with every subset of the other that completes it. */
function searchAll(values: readonly bigint[], sum: bigint): number[][] {
  const half = values.length >> 1
  const right = new Map<bigint, number[]>()
  for (const [mask, part] of sumsOf(values.slice(half)).entries()) {
    right.set(part, [...(right.get(part) ?? []), mask])
  }
  const found: number[][] = []
  for (const [mask, part] of sumsOf(values.slice(0, half)).entries()) {
    for (const other of right.get(sum - part) ?? []) {
      found.push([...bitsOf(mask, 0), ...bitsOf(other, half)])
      if (found.length > FOUND_MAX) return found
    }
  }
  return found
}

function searchSmall(values: readonly bigint[], sum: bigint): number[][] {
  const pairs = new Map<bigint, [number, number][]>()
  for (const [right, value] of values.entries()) {
    for (let left = 0; left < right; left += 1) {
      const both = (values[left] ?? 0n) + value
      const known = pairs.get(both)
      if (known === undefined) pairs.set(both, [[left, right]])
      else known.push([left, right])
    }
  }
  const found: number[][] = []
  const complete = (chosen: readonly number[], rest: bigint): void => {
    const last = chosen.at(-1) ?? -1
    for (const [left, right] of pairs.get(rest) ?? []) {
      if (left > last && found.length <= FOUND_MAX) found.push([...chosen, left, right])
    }
  }
  complete([], sum)
  for (const [one, value] of values.entries()) {
    if (value === sum) found.push([one])
    complete([one], sum - value)
    for (let other = one + 1; other < values.length; other += 1) {
      complete([one, other], sum - value - (values[other] ?? 0n))
    }
  }
  return found
}
