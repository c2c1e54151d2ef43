import type { ShownBalance, ShownPayment } from '@sotto/sdk/balance'
import { describe, expect, it } from 'vitest'
import { amount, unixSeconds } from '@sotto/protocol'
import { givenAwayBy, isEnding } from './time-of-payment.ts'

const SETTLED = unixSeconds(1_800_000_000n)
const VALUE = amount(2_000n)

function balance(value = VALUE, payments: readonly Partial<ShownPayment>[] = []): ShownBalance {
  const note = { value, linkableUntil: SETTLED, endsAt: SETTLED + 86_400n }
  return { note, payments } as unknown as ShownBalance
}

describe('a payment from a balance', () => {
  it('is easy to link by its time while the time points to the top-up', () => {
    expect(givenAwayBy(balance(), amount(1n), unixSeconds(SETTLED - 1n))).toEqual(['time'])
    expect(givenAwayBy(balance(), amount(1n), SETTLED)).toEqual([])
  })

  it('is easy to link by its amount, at any time, if it takes all that was paid in', () => {
    const later = unixSeconds(SETTLED + 1_000_000n)
    expect(givenAwayBy(balance(), VALUE, later)).toEqual(['amount'])
    expect(givenAwayBy(balance(), amount(VALUE - 1n), later)).toEqual([])
    // After an earlier payment, no one else knows how much is left. So if a payment sends all that is left, its
    // amount doesn't match any public amount.
    expect(givenAwayBy(balance(amount(500n), [{ step: 'paid' }]), amount(500n), later)).toEqual([])
    expect(givenAwayBy(balance(VALUE, [{ step: 'quoted' }]), VALUE, later)).toEqual(['amount'])
  })
})

it('the end of a balance is announced days ahead, and no longer once it has come', () => {
  const end = unixSeconds(1_900_000_000n)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n))).toBe(true)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n - 1n))).toBe(false)
  expect(isEnding(end, unixSeconds(end - 1n))).toBe(true)
  expect(isEnding(end, end)).toBe(false)
})
