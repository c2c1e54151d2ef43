import { STEP_MAX } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { hourOfPrice, isPriceOld, nextPriceHour, stepAfterDeath } from './price-hour.ts'

const ALL = { floor: 0, ceiling: STEP_MAX }
const after = (step: number | undefined, recent: bigint, bounds = ALL) =>
  nextPriceHour(step === undefined ? undefined : { hour: 1, step }, 2, recent, bounds).step

it('the price changes in an hour by at most two steps up or one step down', () => {
  expect(after(0, 1_000_000n)).toBe(2)
  expect(after(2, 1_000_000n)).toBe(4)
  expect(after(4, 0n)).toBe(3)
  expect(after(3, 16_000n)).toBe(3)
  expect(after(undefined, 1_000n)).toBe(1)
})

it('an attacker can raise the price within an hour to at most sixteen times the floor', () => {
  expect(after(1, 10n ** 15n, { floor: 1, ceiling: STEP_MAX })).toBe(3)
})

it('the price stays within limits that have changed since the last hour', () => {
  expect(after(6, 10n ** 15n, { floor: 1, ceiling: 3 })).toBe(3)
  expect(after(0, 0n, { floor: 2, ceiling: 3 })).toBe(2)
})

it('recent prices are read once an hour, or if the stored hour is far in the future', () => {
  expect(hourOfPrice(7_199n)).toBe(1)
  expect(isPriceOld(undefined, 5)).toBe(true)
  expect([3, 4, 5, 6, 7].map((hour) => isPriceOld({ hour, step: 0 }, 5))).toEqual([
    ...[true, true, false, false, true],
  ])
})

it('an expired attempt raises the price by one step, at most twelve times for one order', () => {
  expect(stepAfterDeath({ step: 0, number: 1 }, ALL)).toBe(1)
  expect(stepAfterDeath({ step: 3, number: 12 }, ALL)).toBe(4)
  expect(stepAfterDeath({ step: 3, number: 13 }, ALL)).toBeUndefined()
  expect(stepAfterDeath({ step: 3, number: 1 }, { floor: 0, ceiling: 3 })).toBeUndefined()
})
