import { expect, it } from 'vitest'
import { lineOf, medianOf, type Measured } from './line.ts'

const measured: Measured = {
  name: 'a thing',
  unit: 'req/s',
  values: [40, 4_000, 60],
  baselines: [100, 120, 1],
  bar: '>= 0.5',
}

it('uses the median of all rounds', () => {
  expect(medianOf([3, 1, 2])).toBe(2)
  expect(medianOf([4, 1])).toBe(2.5)
  expect(lineOf(measured, true)).toMatchObject({ value: 60, baseline: 100, ratio: 0.6, ok: true })
})

it('fails a line whose ratio breaks its limit', () => {
  expect(lineOf({ ...measured, bar: '>= 0.61' }, true).ok).toBe(false)
  expect(lineOf({ ...measured, bar: '<= 0.6' }, true).ok).toBe(true)
  expect(lineOf({ ...measured, bar: '<= 0.5' }, true).ok).toBe(false)
})

it('omits the limit if limits are not judged', () => {
  const line = lineOf({ ...measured, bar: '>= 10' }, false)
  expect(line).toMatchObject({ bar: null, ok: true })
})

it('refuses a line that measured nothing', () => {
  expect(() => lineOf({ ...measured, values: [] }, true)).toThrow('no rounds')
  expect(() => lineOf({ ...measured, baselines: [0] }, true)).toThrow('measured nothing')
})
