import { expect, it } from 'vitest'
import { IntervalModel, transferDelays } from './interval-model.ts'

it('has a density that adds up to 1', () => {
  const model = new IntervalModel([0, 10, 30, 100], [1, 2, 1])
  const total = () =>
    Array.from({ length: 100 }, (_, second) => Math.exp(model.logDensity(second))).reduce(
      (sum, density) => sum + density,
    )
  expect(total()).toBeCloseTo(1)
  model.learn([{ seconds: 20, weight: 4 }])
  expect(total()).toBeCloseTo(1)
  expect(Math.exp(model.logDensity(20))).toBeCloseTo(6 / 8 / 20)
  expect(Math.exp(model.logSurvival(10))).toBeCloseTo(7 / 8)
  expect(Math.exp(model.logSurvival(20))).toBeCloseTo(4 / 8)
})

it('learns only from the newest intervals', () => {
  const model = transferDelays()
  const before = model.logDensity(300)
  model.learn(Array.from({ length: 200 }, () => ({ seconds: 300, weight: 1 })))
  expect(model.logDensity(300)).toBeGreaterThan(before + 2)
  model.learn([])
  expect(model.logDensity(300)).toBe(before)
})
