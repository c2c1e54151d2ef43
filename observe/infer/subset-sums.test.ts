import fc from 'fast-check'
import { expect, it } from 'vitest'
import { subsetsOfSum } from './subset-sums.ts'

const sumAt = (values: readonly bigint[], places: readonly number[]): bigint =>
  places.reduce((sum, place) => sum + values[place]!, 0n)

it('finds the subset that made the sum', () => {
  const value = fc.bigInt({ min: 1n, max: 10n ** 9n })
  const values = fc.array(value, { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(values, fc.nat(), fc.integer({ min: 1, max: 4 }), (all, start, size) => {
      const places = [
        ...new Set(Array.from({ length: size }, (_, at) => (start + at * 7) % all.length)),
      ]
      const sum = sumAt(all, places)
      const found = subsetsOfSum(all, sum)
      for (const subset of found!.found) expect(sumAt(all, subset)).toBe(sum)
      const wanted = [...places].sort((left, right) => left - right)
      expect(
        found!.found.map((one) => [...one].sort((left, right) => left - right)),
      ).toContainEqual(wanted)
    }),
  )
})

it('finds all subsets of equal values', () => {
  expect(subsetsOfSum([5n, 5n, 5n], 10n)?.found).toHaveLength(3)
  const odd = [123_456_789n, 987_654_321n, 555_555_557n]
  expect(subsetsOfSum(odd, 1_111_111_110n)).toMatchObject({ found: [[0, 1]], isWhole: true })
  expect(subsetsOfSum(odd, 1_111_111_110n)!.byChance).toBeLessThan(1e-8)
})

it('returns undefined if there are too many values or subsets', () => {
  expect(subsetsOfSum(Array<bigint>(301).fill(1n), 2n)).toBeUndefined()
  expect(subsetsOfSum(Array<bigint>(24).fill(1n), 12n)).toBeUndefined()
})

it('finds nothing for a sum that the values cannot make', () => {
  expect(subsetsOfSum([2n, 4n, 6n], 5n)?.found).toEqual([])
})
