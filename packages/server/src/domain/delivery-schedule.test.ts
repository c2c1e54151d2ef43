import { REFUND_WINDOW_SECONDS, unixSeconds } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  arrivalSecondsOf,
  chooseDelays,
  delaysLeft,
  expectedSeconds,
  lawOf,
  meanDelayMs,
  refundTime,
  secondsLeft,
} from './delivery-schedule.ts'

const policy = { minDelaySeconds: 10, meanSeconds: 20, maxDelaySeconds: 60, windowSeconds: 3_600 }
const EXPIRY = unixSeconds(6_000n)
const asked = fc.option(fc.nat({ max: 5_000 }), { nil: undefined })

it('chooses delays within the window, or refuses a contradictory request', () => {
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

it('gives the service’s default delays to a request that names no delays', () => {
  expect(chooseDelays(policy, {})).toEqual({ minDelaySeconds: 10, maxDelaySeconds: 60 })
})

it('accepts a minimum delay that is as long as the window', () => {
  const all = { minDelaySeconds: 3_600, maxDelaySeconds: 3_600 }
  expect(chooseDelays(policy, all)).toEqual(all)
})

const delays = fc.tuple(fc.nat({ max: 3_600 }), fc.nat({ max: 3_600 })).map(([one, other]) => ({
  minDelaySeconds: Math.min(one, other),
  maxDelaySeconds: Math.max(one, other),
}))
const room = fc.bigInt({ min: -5_000n, max: 10_000n })

it('keeps the requested delays if they fit into the remaining time', () => {
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

it('reduces the minimum delay if a late deposit leaves little time', () => {
  const asked = { minDelaySeconds: 3_300, maxDelaySeconds: 3_600 }
  expect(delaysLeft(asked, 3_301n)).toEqual({ minDelaySeconds: 3_001, maxDelaySeconds: 3_301 })
})

const usual = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
const law = lawOf(usual)

it('states the time within which 97 % of deliveries arrive', () => {
  expect(expectedSeconds(usual, law)).toBe(15 + 1_029 + 10)
  expect(expectedSeconds({ minDelaySeconds: 0, maxDelaySeconds: 0 }, law)).toBe(25)
  // In so narrow a window, the delays are distributed almost uniformly.
  expect(expectedSeconds({ minDelaySeconds: 30, maxDelaySeconds: 90 }, law)).toBe(15 + 30 + 59 + 10)
  expect(secondsLeft(61_500, 60_000)).toBe(12)
  expect(secondsLeft(60_000, 61_500)).toBe(10)
})

it('lengthens the mean only if the window is wider than the default', () => {
  expect(meanDelayMs(law, usual)).toBe(300_000)
  expect(meanDelayMs(law, { minDelaySeconds: 0, maxDelaySeconds: 3_600 })).toBe(600_000)
  expect(meanDelayMs(law, { minDelaySeconds: 60, maxDelaySeconds: 120 })).toBe(300_000)
  const fixed = lawOf({ minDelaySeconds: 5, meanSeconds: 2, maxDelaySeconds: 5 })
  expect(meanDelayMs(fixed, { minDelaySeconds: 0, maxDelaySeconds: 600 })).toBe(2_000)
})

it('states a longer time only if the queue takes longer than the delay', () => {
  const queue = { open: 100, depositsPerSecond: 0.1, settledPerSecond: 0.5 }
  expect(expectedSeconds(usual, law, queue)).toBe(expectedSeconds(usual, law))
  const long = expectedSeconds(usual, law, { ...queue, open: 2_000 })
  expect(long).toBeGreaterThan(2_000 / 0.5)
  expect(expectedSeconds(usual, law, { ...queue, open: 4_000 })).toBeGreaterThan(long)
  // No worker has reported a rate yet.
  expect(expectedSeconds(usual, law, { ...queue, open: 4_000, settledPerSecond: 0 })).toBe(
    expectedSeconds(usual, law),
  )
})

it('one more waiting order rarely changes the stated time', () => {
  const queue = { open: 0, depositsPerSecond: 0, settledPerSecond: 0.5 }
  const fast = { minDelaySeconds: 0, maxDelaySeconds: 0 }
  const stated = (open: number) => {
    const arrivalSeconds = arrivalSecondsOf(law, () => ({ ...queue, open }))
    return `${arrivalSeconds(fast)} ${arrivalSeconds('payment')}`
  }
  const opens = Array.from({ length: 1_500 }, (_, open) => stated(open))
  expect(new Set(opens)).toEqual(new Set(['25 10', '70 70', '310 310', '910 910', '3610 3610']))
  expect(opens.filter((one, open) => open > 0 && one !== opens[open - 1])).toHaveLength(4)
})

it('includes the queue in the time of a payment, but not of a top-up', () => {
  const busy = { open: 400, depositsPerSecond: 1, settledPerSecond: 0.5 }
  const idle = { ...busy, open: 0 }
  const [whenBusy, whenIdle] = [busy, idle].map((queue) => arrivalSecondsOf(law, () => queue))
  expect(whenIdle!('payment')).toBe(10)
  expect(whenBusy!('payment')).toBeGreaterThan(400 / 0.5)
  expect(whenBusy!('top_up')).toBe(25)
  expect(whenIdle!('top_up')).toBe(25)
  expect(arrivalSecondsOf(law, () => undefined)('payment')).toBe(10)
})

it('a refund waits for the first grid time after the expiry', () => {
  expect(refundTime(unixSeconds(6_001n), EXPIRY)).toBeUndefined()
  expect(refundTime(unixSeconds(6_599n), EXPIRY)).toBeUndefined()
  expect(refundTime(unixSeconds(6_600n), EXPIRY)).toBe(6_600n)
})

it('the public time of a refund is never after the end of the refund window', () => {
  const end = EXPIRY + REFUND_WINDOW_SECONDS
  expect(refundTime(unixSeconds(end + 3_600n), EXPIRY)).toBe(end)
})
