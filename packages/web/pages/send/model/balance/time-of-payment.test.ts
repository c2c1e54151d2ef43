import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { isEnding } from './time-of-payment.ts'

it('announces the end of a balance days ahead, and not after it', () => {
  const end = unixSeconds(1_900_000_000n)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n))).toBe(true)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n - 1n))).toBe(false)
  expect(isEnding(end, unixSeconds(end - 1n))).toBe(true)
  expect(isEnding(end, end)).toBe(false)
})
