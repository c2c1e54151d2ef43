import type { ShownBalance, ShownPayment } from '@sotto/sdk/balance'
import { describe, expect, it } from 'vitest'
import { givenAwayBy, isEnding, settledFrom } from './time-of-payment.ts'

const DEADLINE = 1_800_000_000n
const VALUE = 2_000n

function balance(value = VALUE, payments: readonly Partial<ShownPayment>[] = []): ShownBalance {
  const note = { value, paidInBy: DEADLINE, endsAt: DEADLINE + 86_400n }
  return { note, payments } as unknown as ShownBalance
}

describe('a payment from a balance', () => {
  it('is given away by its time until an hour after the top-up at least', () => {
    const settled = settledFrom(balance())
    // The deadline of an order is 30 to 40 minutes after it.
    expect(settled - (DEADLINE - 30n * 60n)).toBeGreaterThanOrEqual(3_600n)
    expect(givenAwayBy(balance(), 1n, settled - 1n)).toEqual(['time'])
    expect(givenAwayBy(balance(), 1n, settled)).toEqual([])
  })

  it('is given away by its amount if it takes all that was paid in, at any time', () => {
    const later = settledFrom(balance()) + 1_000_000n
    expect(givenAwayBy(balance(), VALUE, later)).toEqual(['amount'])
    expect(givenAwayBy(balance(), VALUE - 1n, later)).toEqual([])
    // No observer can see what is left after a payment.
    expect(givenAwayBy(balance(500n, [{ step: 'paid' }]), 500n, later)).toEqual([])
    expect(givenAwayBy(balance(VALUE, [{ step: 'quoted' }]), VALUE, later)).toEqual(['amount'])
  })
})

it('a balance is announced to end days ahead, and no longer once it has ended', () => {
  const end = 1_900_000_000n
  expect(isEnding(end, end - 5n * 86_400n)).toBe(true)
  expect(isEnding(end, end - 5n * 86_400n - 1n)).toBe(false)
  expect(isEnding(end, end - 1n)).toBe(true)
  expect(isEnding(end, end)).toBe(false)
})
