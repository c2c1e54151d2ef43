import { U64_MAX, amount, type Amount } from '@sotto/protocol'

/**
 * The digits of the series in tenths: 1, 1.5, 2, 2.5, 3, 4, 5, 6 and 7.5. The series contains the round amounts that
 * quotes suggest.
 */
const TENTHS = [10n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 75n]

/**
 * The figures of the series that fit in a u64, in base units and in ascending order. A figure consists of these digits,
 * followed by zeros. The same figures are round in every asset, because one coin always equals a power of ten of base
 * units.
 */
export const SERIES: readonly Amount[] = [...Array(U64_MAX.toString().length).keys()]
  .flatMap((digits) => TENTHS.map((tenths) => tenths * 10n ** BigInt(digits)))
  .flatMap((tenths) => (tenths % 10n === 0n ? [tenths / 10n] : []))
  .filter((figure) => figure <= U64_MAX)
  .map(amount)

/** The number of figures below `sum`. It is found by binary search, because each quote needs it several times. */
function countBelow(sum: bigint): number {
  let [low, high] = [0, SERIES.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((SERIES[middle] ?? sum) < sum) low = middle + 1
    else high = middle
  }
  return low
}

/** The greatest figure that is at most `sum`. Undefined if `sum` is below the smallest figure. */
export const greatestFigure = (sum: bigint): Amount | undefined => SERIES[countBelow(sum + 1n) - 1]

/**
 * The nearest `count` figures below `sum` and the nearest `count` figures above it, in ascending order, without `sum`.
 */
export function figuresAround(sum: bigint, count: number): Amount[] {
  const below = countBelow(sum)
  const above = countBelow(sum + 1n)
  return [...SERIES.slice(Math.max(0, below - count), below), ...SERIES.slice(above, above + count)]
}
