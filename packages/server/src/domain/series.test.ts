import { U64_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { figuresAround, greatestFigure, SERIES } from './series.ts'

const DIGITS = ['1', '15', '2', '25', '3', '4', '5', '6', '75']
const sums = fc.oneof(fc.bigInt({ min: 0n, max: U64_MAX }), fc.constantFrom(...SERIES))

it('the series contains every u64 that consists of allowed digits and zeros', () => {
  for (const [index, figure] of SERIES.entries()) {
    expect(DIGITS).toContain(`${figure}`.replace(/0+$/, ''))
    expect(figure).toBeLessThanOrEqual(U64_MAX)
    expect(figure).toBeGreaterThan(SERIES[index - 1] ?? 0n)
  }
  const all = DIGITS.flatMap((digits) =>
    [...Array(20).keys()].map((zeros) => BigInt(digits + '0'.repeat(zeros))),
  )
  expect(new Set(SERIES)).toEqual(new Set(all.filter((one) => one <= U64_MAX)))
  expect(SERIES.at(-1)).toBe(15_000_000_000_000_000_000n)
})

it('the series has the same figures for coins with any number of decimals', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SERIES), fc.nat({ max: 18 }), (figure, decimals) => {
      const units = figure * 10n ** BigInt(decimals)
      if (units <= U64_MAX) expect(SERIES).toContain(units)
    }),
  )
})

it('finds the greatest figure that is at most a sum', () => {
  fc.assert(
    fc.property(sums, (sum) => {
      expect(greatestFigure(sum)).toBe(SERIES.filter((figure) => figure <= sum).at(-1))
    }),
  )
  expect(greatestFigure(0n)).toBeUndefined()
  expect(greatestFigure(-1n)).toBeUndefined()
})

it('finds the nearest figures on both sides of a sum, without the sum', () => {
  fc.assert(
    fc.property(sums, fc.nat({ max: 4 }), (sum, count) => {
      const below = SERIES.filter((figure) => figure < sum)
      const above = SERIES.filter((figure) => figure > sum)
      const nearest = [
        ...below.slice(below.length - Math.min(count, below.length)),
        ...above.slice(0, count),
      ]
      expect(figuresAround(sum, count)).toEqual(nearest)
    }),
  )
  expect(figuresAround(1n, 2)).toEqual([2n, 3n])
  expect(figuresAround(U64_MAX, 1)).toEqual([15_000_000_000_000_000_000n])
})
