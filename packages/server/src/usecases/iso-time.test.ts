import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isoOfMs } from './iso-time.ts'

it('formats any instant to the millisecond', () => {
  const instant = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })
  const property = fc.property(instant, fc.integer({ min: 0, max: 999 }), (ms, later) => {
    for (const at of [ms, Math.min(ms + later, 8_640_000_000_000_000)]) {
      expect(isoOfMs(at)).toBe(new Date(at).toISOString())
    }
  })
  fc.assert(property)
  expect(() => isoOfMs(Number.NaN)).toThrow(RangeError)
})
