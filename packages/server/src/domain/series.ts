import { U64_MAX, amount, type Amount } from '@sotto/protocol'

/** 1, 1.5, 2, 2.5, 3, 4, 5, 6 and 7.5, in tenths. */
const TENTHS = [10n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 75n]

/**
 * The figures of the series within u64, in ascending order, in base units. They are figures for every asset, because a
 * whole coin has a power of ten of base units.
 */
export const SERIES: readonly Amount[] = [...Array(U64_MAX.toString().length).keys()]
  .flatMap((digits) => TENTHS.map((tenths) => tenths * 10n ** BigInt(digits)))
  .flatMap((tenths) => (tenths % 10n === 0n ? [tenths / 10n] : []))
  .filter((figure) => figure <= U64_MAX)
  .map(amount)

/** The number of figures below `sum`. A binary search finds it, because each quote needs it several times. */
function countBelow(sum: bigint): number {
  let [low, high] = [0, SERIES.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((SERIES[middle] ?? sum) < sum) low = middle + 1
    else high = middle
  }
  return low
}

/** The greatest figure that is at most `sum`; undefined for a sum below the least figure. */
export const greatestFigure = (sum: bigint): Amount | undefined => SERIES[countBelow(sum + 1n) - 1]

/** The nearest figures below and above `sum`, `count` on each side, in ascending order. `sum` isn't among them. */
export function figuresAround(sum: bigint, count: number): Amount[] {
  const below = countBelow(sum)
  const above = countBelow(sum + 1n)
  return [...SERIES.slice(Math.max(0, below - count), below), ...SERIES.slice(above, above + count)]
}
