import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseDelays, delaysLeft, expectedSeconds, secondsLeft } from './delivery-schedule.ts'

const policy = { minDelaySeconds: 10, maxDelaySeconds: 60, windowSeconds: 3_600 }
const asked = fc.option(fc.nat({ max: 5_000 }), { nil: undefined })

it('stays within the window and the requested delays, and refuses only contradictions', () => {
  fc.assert(
    fc.property(asked, asked, (minDelaySeconds, maxDelaySeconds) => {
      const chosen = chooseDelays(policy, { minDelaySeconds, maxDelaySeconds })
      const isContradiction =
        (minDelaySeconds ?? 0) > 3_600 ||
        (maxDelaySeconds ?? 0) > 3_600 ||
        (minDelaySeconds ?? 0) > (maxDelaySeconds ?? 3_600)
      expect(chosen === undefined).toBe(isContradiction)
      if (chosen === undefined) return
      expect(chosen.minDelaySeconds).toBeLessThanOrEqual(chosen.maxDelaySeconds)
      expect(chosen.maxDelaySeconds).toBeLessThanOrEqual(3_600)
      if (minDelaySeconds !== undefined) expect(chosen.minDelaySeconds).toBe(minDelaySeconds)
      if (maxDelaySeconds !== undefined) expect(chosen.maxDelaySeconds).toBe(maxDelaySeconds)
    }),
  )
})

it('gives the service’s default delays to a request that names none', () => {
  expect(chooseDelays(policy, {})).toEqual({ minDelaySeconds: 10, maxDelaySeconds: 60 })
})

it('gives the whole window to a request that asks for the whole window', () => {
  const all = { minDelaySeconds: 3_600, maxDelaySeconds: 3_600 }
  expect(chooseDelays(policy, all)).toEqual(all)
})

const delays = fc.tuple(fc.nat({ max: 3_600 }), fc.nat({ max: 3_600 })).map(([one, other]) => ({
  minDelaySeconds: Math.min(one, other),
  maxDelaySeconds: Math.max(one, other),
}))
const room = fc.bigInt({ min: -5_000n, max: 10_000n })

it('keeps the requested delays if they fit, and never exceeds the remaining time', () => {
  fc.assert(
    fc.property(delays, room, (chosen, roomSeconds) => {
      const left = delaysLeft(chosen, roomSeconds)
      if (BigInt(chosen.maxDelaySeconds) <= roomSeconds) {
        expect(left).toEqual(chosen)
        return
      }
      expect(BigInt(left.maxDelaySeconds)).toBe(roomSeconds < 0n ? 0n : roomSeconds)
      expect(left.minDelaySeconds).toBeGreaterThanOrEqual(0)
      expect(left.minDelaySeconds).toBeLessThanOrEqual(left.maxDelaySeconds)
      const width = chosen.maxDelaySeconds - chosen.minDelaySeconds
      const drawnFrom = left.maxDelaySeconds - left.minDelaySeconds
      expect(drawnFrom).toBeGreaterThanOrEqual(Math.min(width / 2, left.maxDelaySeconds))
      if (left.minDelaySeconds !== chosen.minDelaySeconds) {
        expect(chosen.minDelaySeconds + width / 2).toBeGreaterThan(left.maxDelaySeconds)
        expect(drawnFrom).toBe(Math.min(width, left.maxDelaySeconds))
      }
    }),
  )
})

it('keeps the time unpredictable if a payment is so late that little more than the least delay fits', () => {
  const asked = { minDelaySeconds: 3_300, maxDelaySeconds: 3_600 }
  expect(delaysLeft(asked, 3_301n)).toEqual({ minDelaySeconds: 3_001, maxDelaySeconds: 3_301 })
})

it('computes the arrival of funds from finality, the longest delay and a settlement', () => {
  expect(expectedSeconds({ minDelaySeconds: 10, maxDelaySeconds: 60 })).toBe(85)
  expect(secondsLeft(61_500, 60_000)).toBe(12)
  expect(secondsLeft(60_000, 61_500)).toBe(10)
})
