import { expect, it } from 'vitest'
import { settlementTime } from '../index.ts'

const EXPIRY = 6_000n

it('delivers up to the expiry and not a second later', () => {
  expect(settlementTime('deliver', 5_401n, EXPIRY)).toBe(6_000n)
  expect(settlementTime('deliver', 6_000n, EXPIRY)).toBe(6_000n)
  expect(() => settlementTime('deliver', 6_001n, EXPIRY)).toThrow(/only be refunded/)
})

it('refunds from the first grid time after the expiry and says how long that takes', () => {
  expect(() => settlementTime('refund', 6_000n, EXPIRY)).toThrow(/in 600 s/)
  expect(() => settlementTime('refund', 6_599n, EXPIRY)).toThrow(/in 1 s/)
  expect(settlementTime('refund', 6_600n, EXPIRY)).toBe(6_600n)
})

it('refunds up to the end of the window and never after', () => {
  const end = EXPIRY + 2_592_000n
  expect(settlementTime('refund', end + 599n, EXPIRY)).toBe(end)
  expect(() => settlementTime('refund', end + 600n, EXPIRY)).toThrow(/too late to refund/)
})
