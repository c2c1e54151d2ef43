import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { isEnding } from './time-of-payment.ts'

it('the end of a balance is announced days ahead, and is not announced after the balance has ended', () => {
  const end = unixSeconds(1_900_000_000n)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n))).toBe(true)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n - 1n))).toBe(false)
  expect(isEnding(end, unixSeconds(end - 1n))).toBe(true)
  expect(isEnding(end, end)).toBe(false)
})
