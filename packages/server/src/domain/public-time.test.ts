import { REFUND_WINDOW_SECONDS, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { deliveryTime, refundTime } from './delivery-schedule.ts'

const EXPIRY = unixSeconds(6_000n)

it('a delivery has 90 seconds to land before its public time', () => {
  expect(deliveryTime(unixSeconds(0n), EXPIRY)).toBe(600n)
  expect(deliveryTime(unixSeconds(510n), EXPIRY)).toBe(600n)
  expect(deliveryTime(unixSeconds(511n), EXPIRY)).toBe(1_200n)
})

it('the public time of a delivery is never after its expiry', () => {
  expect(deliveryTime(unixSeconds(5_999n), EXPIRY)).toBe(6_000n)
  expect(deliveryTime(unixSeconds(6_000n), EXPIRY)).toBe(6_000n)
  expect(deliveryTime(unixSeconds(6_001n), EXPIRY)).toBeUndefined()
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
