import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { deliveryTime, refundTime } from './delivery-schedule.ts'

const EXPIRY = unixSeconds(6_000n)

it('a delivery has 90 seconds to land before its public time ends', () => {
  expect(deliveryTime(0n, EXPIRY)).toBe(600n)
  expect(deliveryTime(510n, EXPIRY)).toBe(600n)
  expect(deliveryTime(511n, EXPIRY)).toBe(1_200n)
})

it('a delivery near its expiry uses the remaining time, and no delivery is attempted after the expiry', () => {
  expect(deliveryTime(5_999n, EXPIRY)).toBe(6_000n)
  expect(deliveryTime(6_000n, EXPIRY)).toBe(6_000n)
  expect(deliveryTime(6_001n, EXPIRY)).toBeUndefined()
})

it("a refund waits until the clock's time, rounded down to the grid, is past the expiry", () => {
  expect(refundTime(6_001n, EXPIRY)).toBeUndefined()
  expect(refundTime(6_599n, EXPIRY)).toBeUndefined()
  expect(refundTime(6_600n, EXPIRY)).toBe(6_600n)
})
