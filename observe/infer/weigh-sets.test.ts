import fc from 'fast-check'
import { expect, it } from 'vitest'
import { weighSets, type Part } from './weigh-sets.ts'

/** Computes the same result as `weighSets` by trying every set. */
function weighEach(parts: readonly Part[], least: number, most: number) {
  const weights = Array.from({ length: 2 ** parts.length }, (_, mask) => {
    const isIn = (place: number): boolean => ((mask >> place) & 1) === 1
    const sum = parts.reduce((all, { size }, place) => all + (isIn(place) ? size : 0), 0)
    const fits = sum >= least && sum <= most
    return parts.reduce(
      (product, { chance }, place) => product * (isIn(place) ? chance : 1 - chance),
      fits ? 1 : 0,
    )
  })
  const evidence = weights.reduce((all, weight) => all + weight, 0)
  const chances = parts.map(({ chance }, place) => {
    const inside = weights.filter((_, mask) => ((mask >> place) & 1) === 1)
    return evidence > 0 ? inside.reduce((all, weight) => all + weight, 0) / evidence : chance
  })
  return { evidence, chances }
}

it('weighs each part by all sets that have the observed sum', () => {
  const part = fc.record({
    size: fc.integer({ min: 0, max: 20 }),
    chance: fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100),
  })
  const range = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: 0, max: 8 }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), range, (parts, [least, width]) => {
      const most = Math.max(0, least + width)
      const found = weighSets(parts, least, most)
      const wanted = weighEach(parts, least, most)
      expect(found.evidence).toBeCloseTo(wanted.evidence, 5)
      for (const [place, chance] of wanted.chances.entries()) {
        expect(found.chances[place]).toBeCloseTo(chance, 4)
      }
    }),
  )
})

it('is certain of the only set that has the observed sum', () => {
  const parts = [3, 5, 11].map((size) => ({ size, chance: 0.1 }))
  const { chances } = weighSets(parts, 14, 14)
  expect(chances.map((chance) => Math.round(chance * 1e6) / 1e6)).toEqual([1, 0, 1])
  expect(weighSets(parts, 4, 4)).toEqual({ evidence: 0, chances: [0.1, 0.1, 0.1] })
})
