import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { settlementTime } from '../index.ts'

const EXPIRY = unixSeconds(6_000n)

it('delivers until the expiry', () => {
  expect(settlementTime('deliver', unixSeconds(5_401n), EXPIRY)).toBe(6_000n)
  expect(settlementTime('deliver', unixSeconds(6_000n), EXPIRY)).toBe(6_000n)
  expect(() => settlementTime('deliver', unixSeconds(6_001n), EXPIRY)).toThrow(/only be refunded/)
})

it('refunds from the first grid time (a multiple of 600 s) after the expiry', () => {
  expect(() => settlementTime('refund', unixSeconds(6_000n), EXPIRY)).toThrow(/in 600 s/)
  expect(() => settlementTime('refund', unixSeconds(6_599n), EXPIRY)).toThrow(/in 1 s/)
  expect(settlementTime('refund', unixSeconds(6_600n), EXPIRY)).toBe(6_600n)
})

it('refunds until the end of the window', () => {
  const end = EXPIRY + 2_592_000n
  expect(settlementTime('refund', unixSeconds(end + 599n), EXPIRY)).toBe(end)
  expect(() => settlementTime('refund', unixSeconds(end + 600n), EXPIRY)).toThrow(
    /too late to refund/,
  )
})
